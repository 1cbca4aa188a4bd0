import { readSoFar, type WatchedCall, watchCall, withEndTime } from '../../calls/watch-call.ts';
import { findNamedCalls, type NamedCallRow, readInputOfNamedCall } from '../../db/calls/named-calls.ts';
import type { Delta } from '../../domain/chat-message.ts';
import { isNotKept } from '../../domain/formats/not-kept.ts';
import { requireTeamCaller } from '../caller.ts';
import type { ServiceContext } from '../context.ts';

type ReadContext = Pick<ServiceContext, 'deps' | 'caller'>;

/** An answer that is no longer stored whole is the same as none. */
const isStored = ({ response }: NamedCallRow): boolean => response === null || !isNotKept(response);

/**
 * The calls of these ids that the caller's team may name: its own, stored, and made to be named. Any other is answered alike.
 * `spec 29.3`
 */
export async function findNamed({ deps, caller }: ReadContext, callIds: readonly string[]): Promise<NamedCallRow[]> {
  if (callIds.length === 0) return [];
  const { teamId } = requireTeamCaller(caller);
  return (await findNamedCalls(deps.database, teamId, callIds)).filter(isStored);
}

/** The conversation of such a call, JSON text. */
export const readInput = ({ deps, caller }: ReadContext, callId: string): Promise<string | undefined> =>
  readInputOfNamedCall(deps.database, requireTeamCaller(caller).teamId, callId);

/** The answer of such a call from its beginning, as it comes or as it is recorded, with the time of its end. */
export async function watchNamed({ deps }: ReadContext, call: NamedCallRow): Promise<WatchedCall> {
  const watched = await watchCall(deps, call);
  return { ...watched, outputs: (left) => withEndTime(deps, call.call_id, watched.outputs(left)) };
}

/** What such a call has written so far, while it runs. */
export const readWritten = ({ deps }: ReadContext, { call_id }: NamedCallRow): Promise<Delta[]> =>
  readSoFar(deps, call_id);
