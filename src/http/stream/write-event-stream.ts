import type { Response } from 'express';
import type { EventStream } from './event-stream.ts';

const keepaliveMs = 15_000;

/**
 * Waits until a slow reader has taken what it was sent, so that further events do not pile up here. Breaks the connection of one
 * that takes nothing for `drainTimeoutMs`.
 */
export const drained = (response: Response, disconnected: AbortSignal, drainTimeoutMs: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), drainTimeoutMs);
    const done = () => {
      clearTimeout(timer);
      response.off('drain', done);
      disconnected.removeEventListener('abort', done);
      resolve();
    };
    response.once('drain', done);
    disconnected.addEventListener('abort', done, { once: true });
  });

/**
 * Server-sent events; those of a call byte for byte as in `spec 5.9`: `data: <event>` and a blank line, `data: [DONE]` at the end. The
 * stream's keep-alive, by default a comment, when nothing else was sent for 15 s. A reader that leaves ends the writing, not the call.
 */
export async function writeEventStream(
  response: Response,
  stream: EventStream,
  disconnected: AbortSignal,
  drainTimeoutMs: number,
): Promise<void> {
  // Node's own method: Express would add a charset to the type.
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-cache',
    'X-Accel-Buffering': 'no',
    // The interface's `keep-alive` is for a connection that is kept: where one is not, a client's next request would be lost with it.
    Connection: response.shouldKeepAlive ? 'keep-alive' : 'close',
  });
  response.flushHeaders();
  const keepalive = setInterval(() => response.write(stream.keepaliveText()), keepaliveMs);
  try {
    for await (const event of stream.events) {
      if (disconnected.aborted) return;
      keepalive.refresh();
      if (!response.write(stream.textOf(event))) await drained(response, disconnected, drainTimeoutMs);
    }
    response.end(stream.lastText);
  } finally {
    clearInterval(keepalive);
  }
}
