import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import type { Grants } from '../teams/resolve-grants.ts';

export interface GrantedModels {
  /** Models of the model groups: by group, then priority. */
  group_models: string[];
  /** Models of the aliases that the access groups reach. */
  alias_models: string[];
}

/** The models of both, each once. */
export const everyModel = ({ group_models, alias_models }: GrantedModels): string[] => [
  ...new Set([...group_models, ...alias_models]),
];

/** Only active groups, members and aliases are granted: nothing else can be called. */
const grantedModels = (modelGroupIds: string, accessGroupIds: string) => `
  array(select m.model_name
          from unnest(${modelGroupIds}) with ordinality as granted (id, position)
          join model_groups g on g.model_group_id = granted.id and g.status = 'active'
          join model_group_members m on m.model_group_id = g.model_group_id and m.is_active
         group by m.model_name
         order by min(array[granted.position, m.priority, m.position])) as group_models,
  array(select distinct models.name
          from model_access_groups g
          join model_access_group_aliases ga on ga.model_access_group_id = g.model_access_group_id
          join model_aliases a on a.model_alias_id = ga.model_alias_id and a.status = 'active'
          cross join unnest(array_prepend(a.model_name, a.fallbacks)) as models (name)
         where g.model_access_group_id = any (${accessGroupIds}) and g.status = 'active'
         order by models.name) as alias_models`;

/** The granted models of a team; `team` is its id. */
export const grantedModelsOfTeam = (team: string) =>
  grantedModels(
    `array(select model_group_id from team_model_groups where team_id = ${team} order by position)`,
    `array(select model_access_group_id from team_access_groups where team_id = ${team})`,
  );

const sql = statement(
  'list_granted_models',
  `select ${grantedModels(':model_group_ids::uuid[]', ':access_group_ids::uuid[]')}`,
);

/** The concrete models behind a team's grants. `allowed_models` of `spec 8.6` */
export async function listGrantedModels(database: Database, grants: Grants): Promise<GrantedModels> {
  const [row] = await database.query<GrantedModels>(sql, {
    model_group_ids: grants.modelGroupIds,
    access_group_ids: grants.accessGroupIds,
  });
  return row!;
}
