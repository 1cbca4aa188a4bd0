import type { Secrets } from '../auth/secrets.ts';
import type { UpstreamTeamRow } from '../db/queries/find-upstream-team.ts';
import type { UpstreamTeam } from '../upstream/team-registration.ts';

/** A team of ours as the upstream is to have it, key and all. */
export function upstreamTeam(row: UpstreamTeamRow, secrets: Secrets): UpstreamTeam {
  const { group_models, alias_models, key_sealed, ending_keys: _, ...team } = row;
  return {
    ...team,
    models: [...new Set([...group_models, ...alias_models])],
    virtual_key: secrets.open(key_sealed, row.team_id),
  };
}
