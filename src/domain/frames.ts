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

/** The model's whole message. */
export interface Message {
  content: string;
  toolCalls?: ToolCall[];
}

/**
 * How a call ended, as in its record. `uncounted`: an estimate of the answer's tokens where `usage` has none, for the team's
 * limit. `job`: the end of its job, if the job was settled with it.
 */
export type CallEnd =
  | {
      status: 'succeeded';
      finishReason: string;
      usage: TokenUsage;
      uncounted?: number;
      latencyMs: number;
      message?: Message;
      job?: JobResult;
    }
  /**
   * `usage`: the tokens that still count for the team's limit. `message`: what the model had said by then, which only the
   * call's stream shows.
   */
  | { status: 'failed'; error: string; usage?: TokenUsage; uncounted?: number; message?: Message; job?: JobResult }
  /** The call never ran: its job was ending, with the status `error`. */
  | { status: 'refused'; error: string }
  /** The call never ran: no worker had begun it when its client was told 503, or the same in its stream. */
  | { status: 'withdrawn' };

export type SucceededEnd = Extract<CallEnd, { status: 'succeeded' }>;

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
export interface Begun {
  callId: string;
  type: 'begun';
}
