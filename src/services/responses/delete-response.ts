import { deletePayloadOfNamedCall } from '../../db/calls/named-calls.ts';
import { refuse } from '../../errors.ts';
import { requireTeamCaller } from '../caller.ts';
import type { ServiceContext } from '../context.ts';

/** Deletes request and answer of a response. Its job, its figures and the ledger stay. `id`: as the client has it. `spec 29.4` */
export async function deleteResponse(
  { deps, caller }: Pick<ServiceContext, 'deps' | 'caller'>,
  id: string,
  callId: string | undefined,
): Promise<void> {
  const { teamId } = requireTeamCaller(caller);
  const found = callId && (await deletePayloadOfNamedCall(deps.database, teamId, callId));
  if (!found) throw refuse('response_not_found', id);
  if (!found.has_ended) throw refuse('response_in_progress');
}
