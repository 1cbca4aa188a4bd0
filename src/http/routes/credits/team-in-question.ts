import { invalid } from '../../../errors.ts';
import type { Caller } from '../../caller.ts';

/** The team that a query names; a team's key stands for its own where it names none. */
export function teamInQuestion(caller: Caller, teamId: string | undefined): string {
  if (teamId !== undefined) return teamId;
  if (caller.kind === 'team') return caller.teamId;
  throw invalid(['query', 'team_id'], 'Field required', 'missing');
}
