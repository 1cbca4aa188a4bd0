import type { SucceededResult } from '../../domain/call-result.ts';
import { meaningOfFinish } from '../../domain/finish-reason.ts';

export const stopReasons = ['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'refusal'] as const;
export type StopReason = (typeof stopReasons)[number];

/** Why an answer ended, and with which of the texts at which the client asked the model to stop. */
export interface Stop {
  stop_reason: StopReason;
  stop_sequence: string | null;
}

type Ended = Pick<SucceededResult, 'finishReason' | 'stopSequence'>;

/** Why the model stopped, for any word of an upstream. With tool calls the client has to go on. `spec 28.7` */
export function toStop({ finishReason, stopSequence }: Ended, hasToolCalls: boolean): Stop {
  const meaning = meaningOfFinish(finishReason);
  const because = (stop_reason: StopReason): Stop => ({ stop_reason, stop_sequence: null });
  if (meaning === 'length') return because('max_tokens');
  if (hasToolCalls) return because('tool_use');
  if (meaning === 'content_filter') return because('refusal');
  if (stopSequence !== undefined) return { stop_reason: 'stop_sequence', stop_sequence: stopSequence };
  return because(finishReason === 'stop_sequence' ? 'stop_sequence' : 'end_turn');
}
