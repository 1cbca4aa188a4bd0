import { OutcomeUnknown } from '../../errors.ts';
import { abandonOperation, keyedRefusal, recordReply } from '../idempotency/keyed-operation.ts';
import type { Exchange } from './exchange.ts';

/** Makes the error of a request with an Idempotency-Key its reply; throws that of another request. */
export async function toKeyedReply(exchange: Exchange, error: unknown): Promise<void> {
  const { deps, keyed, context } = exchange;
  if (!keyed) throw error;
  if (error instanceof OutcomeUnknown) {
    keyed.stopRenewing();
    await abandonOperation(deps, keyed);
    throw error;
  }
  exchange.reply = keyedRefusal(context, keyed, error);
}

/** Stores the reply for repetitions of the request. */
export async function storeReply(exchange: Exchange): Promise<void> {
  const { keyed, context, reply } = exchange;
  if (!keyed || !reply) return;
  const whole = { ...reply, headers: { ...keyed.sentHeaders, ...reply.headers } };
  exchange.reply = whole;
  await recordReply(context, keyed, whole).finally(keyed.stopRenewing);
}
