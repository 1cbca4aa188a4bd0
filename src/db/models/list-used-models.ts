import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

const sql = statement(
  'used_models',
  `select m.model_name from model_group_members m join model_groups g on g.model_group_id = m.model_group_id
    where g.status = 'active' and m.is_active
    union
   select unnest(model_name || fallbacks) from model_aliases where status = 'active'
    order by model_name`,
);

/** The names of the models that calls may be sent to: of active groups and aliases. */
export async function listUsedModels(database: Database): Promise<string[]> {
  const rows = await database.query<{ model_name: string }>(sql);
  return rows.map(({ model_name }) => model_name);
}
