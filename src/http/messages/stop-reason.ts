import { meaningOfFinish } from '../../domain/finish-reason.ts';

export const stopReasons = ['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'refusal'] as const;
export type StopReason = (typeof stopReasons)[number];

/** Why the model stopped, for any word of an upstream. With tool calls the client has to go on. `spec 28.7` */
export function toStopReason(finishReason: string, hasToolCalls: boolean): StopReason {
  const meaning = meaningOfFinish(finishReason);
  if (meaning === 'length') return 'max_tokens';
  if (hasToolCalls) return 'tool_use';
  if (meaning === 'content_filter') return 'refusal';
  return finishReason === 'stop_sequence' ? 'stop_sequence' : 'end_turn';
}
