import type { MikroORM } from '@mikro-orm/postgresql';
import { migrations } from '../../../migrations/index.ts';

/**
 * The tables are those of another version that has changed its migrations, or were changed by hand. No migration helps, and the processes
 * that use them would fail at some statement.
 */
export class OtherTables extends Error {}

/** Throws where the database lacks a column that the migrations make. */
export async function requireTables(orm: MikroORM): Promise<void> {
  const [wanted, found] = [await columnsOfMigrations(orm), await columnsOfDatabase(orm)];
  const missing = [...wanted].filter((column) => !found.has(column));
  if (missing.length > 0) throw new OtherTables(`the database has no ${missing.slice(0, 3).join(', ')}`);
}

export async function columnsOfDatabase(orm: MikroORM): Promise<Set<string>> {
  const rows = await orm.em
    .fork()
    .execute<{ name: string }[]>(
      `select table_name || '.' || column_name as name from information_schema.columns where table_schema = current_schema()`,
    );
  return new Set(rows.map(({ name }) => name));
}

const createdTable = /create (?:unlogged )?table (\w+) \(([\s\S]*)/;
const changedTable = /alter table (\w+)([\s\S]*)/;
const noColumn = /^(constraint|primary|unique|check|foreign|exclude)\b/;

/** `table.column` of every column that the statements of the migrations create. A test compares them with those of a new database. */
export async function columnsOfMigrations(orm: MikroORM): Promise<Set<string>> {
  const columns = new Set<string>();
  for (const { class: Migration } of migrations) {
    const migration = new Migration(orm.em.getDriver(), orm.config);
    await migration.up();
    const statements = migration.getQueries().flatMap((sql) => String(sql).replaceAll(/--.*$/gm, '').split(';'));
    for (const column of statements.flatMap(columnsOfStatement)) columns.add(column);
  }
  return columns;
}

function columnsOfStatement(statement: string): string[] {
  const [, created, list] = createdTable.exec(statement) ?? [];
  if (list !== undefined) {
    const items = splitList(list).filter((item) => !noColumn.test(item));
    return items.map((item) => `${created}.${/^\w+/.exec(item)![0]}`);
  }
  const [, changed, changes] = changedTable.exec(statement) ?? [];
  return [...(changes ?? '').matchAll(/add column (?:if not exists )?(\w+)/g)].map(
    ([, column]) => `${changed}.${column}`,
  );
}

/** The items of a list up to the parenthesis that closes it; commas inside of further parentheses and quotes do not divide it. */
function splitList(text: string): string[] {
  const items = [''];
  let depth = 0;
  for (const [part] of text.matchAll(/'[^']*'|[(),]|[^'(),]+/g)) {
    depth += part === '(' ? 1 : part === ')' ? -1 : 0;
    if (depth < 0) break;
    if (part === ',' && depth === 0) items.push('');
    else items[items.length - 1] += part;
  }
  return items.map((item) => item.trim());
}
