import { findNamedCalls, readInputOfNamedCall } from '../../db/calls/named-calls.ts';
import { isNotKept } from '../../domain/formats/not-kept.ts';
import { requireTeamCaller } from '../caller.ts';
import type { ServiceContext } from '../context.ts';

/** A call that succeeded, and that a later request of its team may go on from. JSON texts. */
export interface NamedCall {
  /** What the client requested beside the conversation. */
  request: string;
  /** The conversation. */
  input: string;
  /** The answer. */
  answer: string;
}

/** The call of this id, if the caller's team may go on from it. Any other is answered alike. `spec 28.16` */
export async function findNamedCall(
  { deps, caller }: Pick<ServiceContext, 'deps' | 'caller'>,
  callId: string,
): Promise<NamedCall | undefined> {
  const { teamId } = requireTeamCaller(caller);
  const [call] = await findNamedCalls(deps.database, teamId, [callId]);
  if (call?.status !== 'succeeded' || call.response === null || isNotKept(call.response)) return undefined;
  const input = await readInputOfNamedCall(deps.database, teamId, callId);
  return input === undefined ? undefined : { request: call.client_request, input, answer: call.response };
}
