import { callSettings, type TeamOfKey } from '../../db/keys/find-team-by-key.ts';
import type { TeamCaller } from '../../services/caller.ts';

/** The caller of a virtual key or of a session of its team. */
export const teamCaller = (hashes: readonly Buffer[], team: Omit<TeamOfKey, 'suspended'>): TeamCaller => ({
  kind: 'team',
  key: { hashes, ...callSettings(team) },
  teamId: team.team_id,
  organizationId: team.organization_id,
  rpmLimit: team.rpm_limit,
  tpmLimit: team.tpm_limit,
  maxConcurrentCalls: team.max_concurrent_calls,
  jobKeyFrom: team.job_key_from,
  joblessCalls: team.jobless_calls,
});
