import { isFailure } from './completion.ts';

const isOfToolCalls = (reason: string): boolean => reason === 'tool_calls' || reason === 'function_call';

/**
 * The finish reason of an answer that has several: the one with which it failed; `tool_calls` where there are tool calls; the one
 * with which it was cut; the last one.
 */
export function reasonOf(reasons: readonly string[], hasToolCalls: boolean): string | undefined {
  const failure = reasons.find(isFailure);
  if (failure) return failure;
  if (hasToolCalls && reasons.some(isOfToolCalls)) return 'tool_calls';
  const others = reasons.filter((reason) => !isOfToolCalls(reason));
  const ofCut = ['content_filter', 'length'].find((reason) => others.includes(reason));
  return ofCut ?? others.at(-1) ?? reasons.at(-1);
}
