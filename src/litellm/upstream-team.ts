import type { Secrets } from '../auth/secrets.ts';
import type { UpstreamTeamRow } from '../db/upstream-teams/find-upstream-team.ts';
import { everyModel } from '../db/upstream-teams/list-granted-models.ts';
import type { UpstreamTeam } from './registration-requests.ts';

/** A team as the upstream is to have it, with its key. */
export function upstreamTeam(row: UpstreamTeamRow, secrets: Secrets): UpstreamTeam {
  return {
    team_id: row.team_id,
    proxy_team_id: row.proxy_team_id,
    team_alias: row.team_alias,
    organization_id: row.organization_id,
    proxy_organization_id: row.proxy_organization_id,
    suspended: row.suspended,
    models: everyModel(row),
    max_budget: row.max_budget,
    credits_allocated: row.credits_allocated,
    credit_limit: row.credit_limit,
    virtual_key: secrets.open(row.key_sealed, row.team_id),
  };
}
