import { refuseByBound } from '../errors.ts';
import { teamHolder } from '../holders/holder.ts';
import type { Leave } from '../holders/slots.ts';
import type { CallContext } from './call-context.ts';

/**
 * A place among the calls of the team that are under way in this process: from before its limits are taken until it has ended,
 * whether or not its client still waits. Refuses with `rate_limited` what comes while all are taken; that counts for no other limit.
 * A request that waits for a call which another one has made needs none: the call has its place. `spec 9.1`
 */
export function takeCallSlot({ deps, team }: CallContext): Leave {
  const most = team.settings.max_concurrent_calls ?? deps.config.MAX_CONCURRENT_CALLS;
  const leave = deps.measures.calls.take(teamHolder(team.teamId), most);
  if (!leave) throw refuseByBound('max_concurrent_calls', most);
  return leave;
}
