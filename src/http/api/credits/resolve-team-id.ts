import { invalid } from '../../../errors.ts';
import type { Caller } from '../../../services/caller.ts';

/** The team that a query names, by default the one of the caller's key. */
export function resolveTeamId(caller: Caller, teamId: string | undefined): string {
  if (teamId !== undefined) return teamId;
  if (caller.kind === 'team') return caller.teamId;
  throw invalid(['query', 'team_id'], 'Field required', 'missing');
}
