import type { Behaviour } from '../behaviour/behaviour.ts';
import { errorInStream } from '../errors.ts';
import { answered, breakConnection, type Exchange, hang, pause, write } from '../exchange.ts';
import { buildChunks, type Chunk } from './build-chunks.ts';
import type { Stamp } from './build-completion.ts';
import type { Answer } from './compose-answer.ts';
import { PieceEncoder } from './encode.ts';
import { manyChunks } from './many-parts.ts';

/** Sends the answer as server-sent events, up to the fault of its behaviour. */
export async function streamAnswer(
  exchange: Exchange,
  stamp: Stamp,
  answer: Answer,
  behaviour: Behaviour,
  includeUsage: boolean,
): Promise<unknown> {
  const { response } = exchange;
  const encoder = new PieceEncoder(behaviour.encoding);
  const send = async (data: string, isLast = false) => {
    const pieces = isLast ? [lastEvent(data, behaviour.ending)] : frameEvent(data, behaviour.framing);
    for (const bytes of pieces) await write(exchange, await encoder.encode(bytes));
  };
  if (behaviour.encoding !== 'identity') response.set('content-encoding', behaviour.encoding);
  if (behaviour.cost.startsWith('zero-header')) response.set('x-litellm-response-cost', '0.0');
  response.set({
    'content-type': behaviour.form === 'events-typed-json' ? 'application/json' : 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();

  let sent = 0;
  const usual = () => buildChunks(stamp, answer, behaviour, includeUsage);
  const chunks = behaviour.many ? manyChunks(stamp, behaviour.many) : usual();
  for (const chunk of chunks) {
    if (breaksNow(behaviour, chunk, sent)) return breakStream(exchange, behaviour, chunk, send);
    if (sent > 0 && chunk.kind === 'content') await pause(exchange, behaviour.everyMs);
    const isLast = behaviour.ending !== 'complete' && chunk === chunks.at(-1);
    await send(JSON.stringify(chunk.data), isLast);
    if (chunk.kind === 'content') sent += 1;
  }
  if (behaviour.done) await send('[DONE]');
  response.end(await encoder.end());
  return answered;
}

const lastEvent = (data: string, ending: Behaviour['ending']): Buffer =>
  Buffer.from(`data: ${data}${ending === 'one-newline' ? '\n' : ''}`);

/** A short answer has the fault too: before its finish reason at the latest. */
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

/**
 * One server-sent event as the pieces in which it is written. All framings mean the same to a reader that follows the standard, but
 * for `data-comments`: a proxy has sent the comments of another stream as data.
 */
function frameEvent(data: string, framing: Behaviour['framing']): Buffer[] {
  switch (framing) {
    case 'plain':
      return [Buffer.from(`data: ${data}\n\n`)];
    case 'crlf':
      return [Buffer.from(`data: ${data}\r\n\r\n`)];
    case 'comments':
      return [Buffer.from(': still here\n\n'), Buffer.from(`id: 1\nevent: message\ndata:${data}\n\n`)];
    case 'data-comments':
      return [Buffer.from('data: : keepalive\n\n'), Buffer.from(`data: ${data}\n\n`)];
    case 'split':
      return splitBytes(Buffer.from(`data: ${data}\n\n`), 7);
  }
}

/** Cuts characters and line ends too. */
const splitBytes = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
