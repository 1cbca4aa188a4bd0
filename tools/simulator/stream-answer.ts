import type { Behaviour } from './behaviour.ts';
import { buildChunks, type Chunk } from './build-chunks.ts';
import type { Stamp } from './build-completion.ts';
import type { Answer } from './compose-answer.ts';
import { answered, breakConnection, type Exchange, hang, pause, write } from './exchange.ts';
import { frameEvent } from './frame-event.ts';
import { errorInStream } from './provider-error.ts';

/** Sends the answer as server-sent events, up to the place where its behaviour breaks it. */
export async function streamAnswer(
  exchange: Exchange,
  stamp: Stamp,
  answer: Answer,
  behaviour: Behaviour,
  includeUsage: boolean,
): Promise<unknown> {
  const { response } = exchange;
  const send = async (data: string) => {
    for (const bytes of frameEvent(data, behaviour.framing)) await write(exchange, bytes);
  };
  response.set({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();

  let sent = 0;
  for (const chunk of buildChunks(stamp, answer, behaviour, includeUsage)) {
    if (breaksNow(behaviour, chunk, sent)) return breakStream(exchange, behaviour, chunk, send);
    if (sent > 0 && chunk.kind === 'content') await pause(exchange, behaviour.everyMs);
    await send(JSON.stringify(chunk.data));
    if (chunk.kind === 'content') sent += 1;
  }
  if (behaviour.done) await send('[DONE]');
  response.end();
  return answered;
}

/** A short answer breaks too: before its finish reason at the latest. */
const breaksNow = ({ fault }: Behaviour, { kind }: Chunk, sent: number): boolean =>
  fault !== undefined && 'after' in fault && (sent >= fault.after || kind !== 'content');

async function breakStream(
  exchange: Exchange,
  { fault }: Behaviour,
  { data }: Chunk,
  send: (data: string) => Promise<void>,
): Promise<unknown> {
  const { response } = exchange;
  if (fault?.kind === 'cut') return breakConnection(exchange, 'cut');
  if (fault?.kind === 'stall') return hang(exchange);
  if (fault?.kind === 'half-json') {
    const json = JSON.stringify(data);
    await send(json.slice(0, json.length >> 1));
  } else {
    await send(JSON.stringify(errorInStream().body));
  }
  response.end();
  return answered;
}
