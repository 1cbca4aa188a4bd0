import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { executeIn } from '../connection/execute-in.ts';
import { oneContains } from '../sql/contains.ts';
import { type KeysetPage, readKeysetPage } from '../sql/read-keyset-page.ts';

/** What has a name that teams or calls refer to. */
const kinds = {
  group: { table: 'model_groups', id: 'model_group_id', name: 'group_name' },
  alias: { table: 'model_aliases', id: 'model_alias_id', name: 'alias_name' },
  access_group: { table: 'model_access_groups', id: 'model_access_group_id', name: 'group_name' },
} as const;

export interface ModelSelection extends KeysetPage {
  status?: 'active' | 'inactive' | undefined;
  q?: string | undefined;
}

/** The order of the lists of models, for the entities of a page. */
export const newestFirst = <Name extends string>(name: Name) =>
  ({ created_at: 'desc', [name]: 'asc' }) as { created_at: 'desc' } & Record<Name, 'asc'>;

/** The ids of a page, newest first: the entities are read by them, in the same snapshot, with what belongs to them. */
export async function listModelIds(
  entities: SqlEntityManager,
  kind: keyof typeof kinds,
  { status, q, ...page }: ModelSelection,
) {
  const { table, id, name } = kinds[kind];
  const where = `(:status::text is null or status = :status)
     and (:q::text is null or ${oneContains([name, 'display_name'])})`;
  const { rows, ...rest } = await readKeysetPage<{ id: string }>(
    { reports: { query: (sql, values = {}) => executeIn(entities, sql, values) } },
    {
      columns: `${id} as id`,
      keyset: {
        name: table,
        columns: [
          { sql: 'created_at', type: 'timestamptz', direction: 'desc' },
          { sql: name, type: 'text', direction: 'asc' },
        ],
      },
      from: (after) => `${table} where ${where} and ${after}`,
      count: `select count(*) as total from ${table} where ${where}`,
    },
    { status: status ?? null, q: q ?? null },
    page,
  );
  return { ...rest, ids: rows.map((row) => row.id) };
}
