import { callSettingsOf } from '../db/entities/team.ts';
import type { TeamOfKey } from '../db/keys/find-team-by-key.ts';
import type { TeamCaller } from './caller.ts';

/** The caller of a virtual key or of a session of its team. */
export const teamCaller = (hashes: readonly Buffer[], team: Omit<TeamOfKey, 'suspended'>): TeamCaller => ({
  kind: 'team',
  key: { hashes, id: team.key_id },
  teamId: team.team_id,
  organizationId: team.organization_id,
  settings: callSettingsOf(team),
});
