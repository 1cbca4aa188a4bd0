/** What a migration sends, and whether it is one transaction. */
export interface CheckedMigration {
  name: string;
  sql: string;
  isTransactional: boolean;
}

/** The names of migrations that remove what the release before them no longer uses. */
const removals: readonly string[] = [];

const isLate: Rule['isAllowed'] = (_, { name }) => removals.includes(name);

interface Rule {
  /** Of one statement, in lower case, with single blanks. The group is the table, where there is one. */
  pattern: RegExp;
  isAllowed?(statement: string, migration: CheckedMigration, statements: string[]): boolean;
  problem: string;
}

const onTable = String.raw`alter table (?:if exists )?(?:only )?(\w+) `;

const rules: Rule[] = [
  {
    pattern: /^create (?:unique )?index (?:concurrently )?(?:if not exists )?\w+ on (\w+)/,
    isAllowed: (statement, { isTransactional }, statements) => {
      const [, name = ''] = /concurrently (\w+)/.exec(statement) ?? [];
      return !isTransactional && name !== '' && statements.includes(`drop index concurrently if exists ${name}`);
    },
    problem:
      'builds an index while writes wait: `create index concurrently`, in a migration that is no transaction, after `drop index concurrently if exists` of what a failed attempt has left',
  },
  {
    pattern: new RegExp(`^${onTable}.*\\badd (?:constraint|check|foreign key|unique|primary key|exclude)`),
    isAllowed: (statement) => / not valid$/.test(statement),
    problem:
      'checks every row while the table is locked: add the constraint `not valid`, and validate it in a later migration',
  },
  {
    pattern: new RegExp(`^${onTable}.*\\bvalidate constraint`),
    isAllowed: (_, __, statements) => !statements.some((one) => / not valid$/.test(one)),
    problem: 'validates while it holds the lock of the constraint that it has added: in a migration of its own',
  },
  {
    pattern: new RegExp(
      `^${onTable}.*\\badd (?!constraint )(?:column )?(?:if not exists )?\\w+ .*\\b(?:references|check|unique|primary key|generated)\\b`,
    ),
    problem: 'adds a column with a constraint, which checks every row: add the column, then the constraint `not valid`',
  },
  {
    pattern: new RegExp(
      `^${onTable}.*\\badd (?:column )?(?:if not exists )?\\w+ .*\\bdefault \\w*(?:random|clock|now|nextval|uuid)\\w*\\s*\\(`,
    ),
    problem: 'writes every row of the table: a default of a new column is a constant',
  },
  {
    pattern: new RegExp(`^${onTable}.*\\b(?:alter (?:column )?\\w+ (?:set data )?type|set not null)`),
    problem: 'reads or writes every row while the table is locked: add a column or a constraint `not valid` instead',
  },
  {
    pattern: new RegExp(`^${onTable}.*\\b(?:rename|drop (?:column )?(?!constraint|default|not null))`),
    isAllowed: isLate,
    problem:
      'takes away what the release before may use: in the release after the one that no longer uses it, named in `removals`',
  },
  {
    pattern: /^drop table (?:if exists )?(\w+)/,
    isAllowed: isLate,
    problem:
      'takes away what the release before may use: in the release after the one that no longer uses it, named in `removals`',
  },
  {
    pattern: /^(?:with .*)?(?:update|delete from) (?:only )?(\w+)/,
    problem:
      'changes rows in one transaction, whose locks calls wait for: a step of maintenance changes them in batches',
  },
  {
    pattern:
      /^(?:lock|cluster|vacuum full|reindex(?! .*concurrently)|refresh materialized view(?! concurrently))\b(?: table)? ?(\w*)/,
    problem: 'holds a lock while calls wait',
  },
];

/** Without comments and the bodies of functions, whose statements run later. */
const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/--[^\n]*/g, '')
    .split('$$')
    .filter((_, n) => n % 2 === 0)
    .join('')
    .split(';')
    .map((statement) => statement.trim().split(/\s+/).join(' ').toLowerCase())
    .filter((statement) => statement !== '');

/** Statements that would hold calls up in a running installation. A table that the same migration creates has no rows and no readers. */
export function findProblems(migration: CheckedMigration): string[] {
  const statements = statementsOf(migration.sql);
  const created = new Set(
    statements.flatMap((one) => /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(one)?.[1] ?? []),
  );
  return statements.flatMap((statement) =>
    rules.flatMap(({ pattern, isAllowed, problem }) => {
      const [matched, table = ''] = pattern.exec(statement) ?? [];
      if (matched === undefined || created.has(table) || isAllowed?.(statement, migration, statements)) return [];
      return [`${migration.name}: "${statement.slice(0, 80)}" ${problem}`];
    }),
  );
}
