import type { JobResult } from './job.ts';
import type { TokenUsage } from './pricing.ts';

/** One piece of a tool call as the upstream streams it; `index` says which tool call it continues. */
export interface ToolCallDelta {
  index: number;
  id?: string;
  type?: 'function';
  function?: { name?: string; arguments?: string };
}

export interface Delta {
  content?: string;
  tool_calls?: ToolCallDelta[];
}

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** What the model said, whole. */
export interface Message {
  content: string;
  toolCalls?: ToolCall[];
}

/** How a call ended, as its record says it. `job`: the end of its job, when that came with it. */
export type CallEnd =
  | {
      status: 'succeeded';
      finishReason: string;
      usage: TokenUsage;
      latencyMs: number;
      message?: Message;
      job?: JobResult;
    }
  /** `usage`: what it took of its team's limit all the same. `message`: what had been said by then, which only its stream shows. */
  | { status: 'failed'; error: string; usage?: TokenUsage; message?: Message; job?: JobResult }
  /** It never ran: its job was ending, and `error` is how. */
  | { status: 'refused'; error: string };

export type SucceededEnd = Extract<CallEnd, { status: 'succeeded' }>;

/** How a call ended that was taken back because nobody had begun it: its client heard 503, or as much in its stream. */
export const withdrawnEnd = { status: 'refused', error: 'unavailable' } as const satisfies CallEnd;

export const isWithdrawn = (end: CallEnd): boolean =>
  end.status === withdrawnEnd.status && end.error === withdrawnEnd.error;

/**
 * What travels from the worker to whoever waits for a call. `seq` counts up from 0 within an attempt; a frame of a lower
 * attempt than one already seen is stale. The last frame of a call is its end; for a call that is not streamed it is
 * the only one and carries the message, unless that is long: then the record has it.
 */
export type Frame = { callId: string; attempt: number; seq: number } & (
  | { type: 'delta'; delta: Delta }
  | { type: 'end'; end: CallEnd }
);

/** Said of a streamed call when a worker begins it, so that its reader knows that it was not refused. Not counted, and kept by nobody. */
export interface Begun {
  callId: string;
  type: 'begun';
}
