import type { CallEnd } from './call-result.ts';
import type { Delta } from './chat-message.ts';

/**
 * A message from the worker to the processes that wait for a call. `seq` counts up from 0 within an attempt; a frame of a lower
 * attempt than one already seen is stale. The last frame of a call is its end; for a call that is not streamed it is the only
 * one and carries the message, unless that is long: then the record has it.
 */
export type Frame = { callId: string; attempt: number; seq: number } & (
  | { type: 'delta'; delta: Delta }
  | { type: 'end'; end: CallEnd }
);

/** Published when a worker begins a streamed call, so that its reader knows that it was not refused. It has no number and is not kept. */
export interface CallStarted {
  callId: string;
  type: 'started';
}
