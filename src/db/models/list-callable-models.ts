import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** A name that a team can call. */
export interface CallableModel {
  name: string;
  kind: 'alias' | 'group';
  display_name: string | null;
  description: string | null;
  max_output_tokens: number | null;
  created_at: Date;
  extra_fields: string[];
  blocked_fields: string[];
}

/** The names that `resolution` (resolve-model.ts) does not refuse. An alias goes before a group of its name. */
const sql = statement(
  'list_callable_models',
  `select distinct on (name collate "C") name, kind, display_name, description, max_output_tokens, created_at, extra_fields,
          blocked_fields
     from (
       select a.alias_name as name, 'alias' as kind, a.display_name, a.description, a.max_output_tokens, a.created_at,
              a.extra_fields, a.blocked_fields, 0 as position
         from team_access_groups tg
         join model_access_groups g on g.model_access_group_id = tg.model_access_group_id and g.status = 'active'
         join model_access_group_aliases ga on ga.model_access_group_id = g.model_access_group_id
         join model_aliases a on a.model_alias_id = ga.model_alias_id and a.status = 'active'
        where tg.team_id = :team_id
       union all
       select g.group_name, 'group', g.display_name, g.description, g.max_output_tokens, g.created_at, g.extra_fields,
              g.blocked_fields, 1
         from team_model_groups tg
         join model_groups g on g.model_group_id = tg.model_group_id and g.status = 'active'
        where tg.team_id = :team_id
          and exists (select from model_group_members m where m.model_group_id = g.model_group_id and m.is_active)
     ) callable
    where :name::text is null or name = :name
    order by name collate "C", position`,
);

/** The model aliases and model groups that a team can call now, sorted by name; of the one `name`, if it is given. */
export const listCallableModels = (database: Database, teamId: string, name: string | null = null) =>
  database.query<CallableModel>(sql, { team_id: teamId, name });
