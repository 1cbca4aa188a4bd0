import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** A team's grants: ids of model groups in the order of their names, and of access groups. */
export interface Grants {
  modelGroupIds: string[];
  accessGroupIds: string[];
}

/** A name of a group. The id is null if there is no such group. */
export interface NamedGroup {
  kind: 'model' | 'access';
  name: string;
  id: string | null;
}

const sql = statement(
  'resolve_grants',
  `select 'model' as kind, name, model_group_id as id
     from unnest(:model_groups::text[]) with ordinality as wanted (name, position)
     left join model_groups on group_name = name
   union all
   select 'access', name, model_access_group_id
     from unnest(:access_groups::text[]) with ordinality as wanted (name, position)
     left join model_access_groups on group_name = name`,
);

export const resolveGrants = (
  database: Database,
  modelGroups: readonly string[],
  accessGroups: readonly string[],
): Promise<NamedGroup[]> => database.query<NamedGroup>(sql, { model_groups: modelGroups, access_groups: accessGroups });
