import { findNamedCalls as find, type NamedCallRow, readInputOfNamedCall } from '../../db/calls/named-calls.ts';
import { isNotKept } from '../../domain/formats/not-kept.ts';
import { requireTeamCaller } from '../caller.ts';
import type { ServiceContext } from '../context.ts';

type ReadContext = Pick<ServiceContext, 'deps' | 'caller'>;

/** An answer that is no longer stored whole is the same as none. */
const isStored = ({ response }: NamedCallRow): boolean => response === null || !isNotKept(response);

/**
 * The calls of these ids that the caller's team may name: its own, stored, and made to be named. Any other is answered alike.
 * `spec 28.16`, `spec 29.3`
 */
export async function findNamedCalls(
  { deps, caller }: ReadContext,
  callIds: readonly string[],
): Promise<NamedCallRow[]> {
  if (callIds.length === 0) return [];
  const { teamId } = requireTeamCaller(caller);
  return (await find(deps.database, teamId, callIds)).filter(isStored);
}

/** The conversation of such a call, JSON text. */
export const readInput = ({ deps, caller }: ReadContext, callId: string): Promise<string | undefined> =>
  readInputOfNamedCall(deps.database, requireTeamCaller(caller).teamId, callId);
