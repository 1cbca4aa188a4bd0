import { type Database, statement } from '../database.ts';
import { type GrantedModels, grantedModels } from './list-granted-models.ts';

/** All that the upstream is told of a team. */
export interface UpstreamTeamRow extends GrantedModels {
  team_id: string;
  proxy_team_id: string;
  team_alias: string | null;
  organization_id: string;
  proxy_organization_id: string | null;
  /** The team itself, or its organization. */
  suspended: boolean;
  max_budget: string | null;
  credits_allocated: number;
  credit_limit: number | null;
  key_sealed: Buffer;
}

const sql = statement(
  'find_upstream_team',
  `select t.team_id, t.proxy_team_id, t.team_alias, t.organization_id, o.proxy_organization_id,
          t.status <> 'active' or o.status <> 'active' as suspended, t.max_budget, a.credits_allocated, a.credit_limit,
          k.key_sealed,
          ${grantedModels(
            'array(select model_group_id from team_model_groups where team_id = t.team_id order by position)',
            'array(select model_access_group_id from team_access_groups where team_id = t.team_id)',
          )}
     from teams t
     join organizations o on o.organization_id = t.organization_id
     join credit_accounts a on a.team_id = t.team_id
     join virtual_keys k on k.team_id = t.team_id and k.expires_at is null
    where t.team_id = $1`,
);

/** Undefined without a team, and for one that has no key: the upstream cannot have it. */
export async function findUpstreamTeam(database: Database, teamId: string): Promise<UpstreamTeamRow | undefined> {
  const [row] = await database.query<UpstreamTeamRow>(sql, [teamId]);
  return row;
}
