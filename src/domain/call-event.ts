import type { CallResult } from './call-result.ts';
import type { Delta } from './chat-message.ts';

/**
 * A message from the worker to the processes that wait for a call. `attempt` is the worker attempt, and `seq` counts from 0 within it;
 * a frame of a lower attempt than one already received is stale. The last frame of a call is its end. For a call that is not
 * streamed it is the only one and contains the message, unless that is long: then the message is read from the record.
 */
export type Frame = { callId: string; attempt: number; seq: number } & (
  | { type: 'delta'; delta: Delta }
  | { type: 'end'; end: CallResult }
);

/** Published when a worker starts a streamed call: it was not refused, so its reader sends the 200. It has no number and is not stored. */
export interface CallStarted {
  callId: string;
  type: 'started';
}
