import { setTimeout as pause } from 'node:timers/promises';
import type { Response } from 'express';
import type { Holder } from '../../holders/holder.ts';

/** Without a delay, a client that repeats refused requests without pause would occupy a core. */
const delayMs = 500;
/** The delay grows by this with each refusal that its holder waits for: with any number of connections it gets at most 200 a second. */
const delayOfEachMs = 5;

/** Each waiting refusal holds a request: further ones of a holder are not answered, and their connections are closed. */
const maxWaiting = 1_000;

const waiting = new Map<Holder, number>();

/** Delays a refusal of a holder, until its client disconnects at the latest. */
export async function delayRefusal(holder: Holder, response: Response, disconnected: AbortSignal): Promise<void> {
  const others = waiting.get(holder) ?? 0;
  if (others >= maxWaiting) return void response.socket?.destroy();
  waiting.set(holder, others + 1);
  await pause(delayMs + others * delayOfEachMs, undefined, { signal: disconnected }).catch(() => undefined);
  const remaining = waiting.get(holder)! - 1;
  if (remaining > 0) waiting.set(holder, remaining);
  else waiting.delete(holder);
}
