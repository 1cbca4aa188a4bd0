import { delayRefusal } from '../limits/delay-refusal.ts';
import { holdUntilSent } from '../limits/hold.ts';
import { isLargeBody, writeReply } from '../reply.ts';
import { EventStream } from '../stream/event-stream.ts';
import type { Exchange } from './exchange.ts';

/** Sends the reply to its end. A large one counts against the bytes of its holder until the client has read it. */
export async function sendReply(exchange: Exchange): Promise<void> {
  const { deps, response, holder, disconnected } = exchange;
  const reply = exchange.reply!;
  const { body, status } = reply;
  if (reply.code) response.locals.refused = reply;
  if (status === 429) await delayRefusal(holder, response, disconnected);
  if (body instanceof EventStream) {
    deps.metrics.streamsOpen.inc();
    return writeReply(response, reply, disconnected).finally(() => deps.metrics.streamsOpen.dec());
  }
  if (typeof body === 'string' && isLargeBody(body))
    await holdUntilSent(deps.measures.bytes, holder, response, { weight: body.length, signal: disconnected });
  return writeReply(response, reply, disconnected);
}
