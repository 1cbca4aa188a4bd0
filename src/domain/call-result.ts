import type { CallFailure } from './call-failure.ts';
import type { Message } from './chat-message.ts';
import type { ContextFigures } from './context-figures.ts';
import type { JobResult } from './job-state.ts';
import type { TokenUsage } from './pricing.ts';

/**
 * How a call ended, as in its record. `uncounted`: an estimate of the answer's tokens, for the team's limit, if `usage` has none.
 * `job`: the end of its job, if the job was settled with the call.
 */
export type CallResult =
  | {
      status: 'succeeded';
      finishReason: string;
      /** The text of the request at which the model stopped, where its upstream names it. */
      stopSequence?: string;
      usage: TokenUsage;
      uncounted?: number;
      latencyMs: number;
      message?: Message;
      /** Whether the message has tool calls, also if the message is not here. */
      hasToolCalls?: boolean;
      job?: JobResult;
    }
  /**
   * `failure`: why no model answered; absent if the call ended for another reason. `usage`: the tokens that still count for the
   * team's limit. `message`: the incomplete answer, which only streams show.
   */
  | {
      status: 'failed';
      error: string;
      failure?: CallFailure;
      /** What the upstream has named of a prompt that is too long. */
      contextFigures?: ContextFigures;
      usage?: TokenUsage;
      uncounted?: number;
      message?: Message;
      job?: JobResult;
    }
  /** The call never ran: its job was ending, with the status `error`. */
  | { status: 'refused'; error: string }
  /** The call never ran: no worker had started it when its client received 503, or the same error in its stream. */
  | { status: 'retracted' };

export type SucceededResult = Extract<CallResult, { status: 'succeeded' }>;
