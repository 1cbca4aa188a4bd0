import { isFailure } from './completion.ts';

const isOfToolCalls = (reason: string): boolean => reason === 'tool_calls' || reason === 'function_call';
const ofCut = ['content_filter', 'length'];

/**
 * The finish reason of an answer that has several: the one with which it failed; `tool_calls` where there are tool calls; the one
 * with which it was cut; the last one.
 */
export class FinishReasons {
  private failure: string | undefined;
  private hasOfToolCalls = false;
  private readonly cuts = new Set<string>();
  private lastOther: string | undefined;
  private last: string | undefined;

  add(reason: string): void {
    this.last = reason;
    if (isFailure(reason)) this.failure ??= reason;
    if (isOfToolCalls(reason)) this.hasOfToolCalls = true;
    else this.lastOther = reason;
    if (ofCut.includes(reason)) this.cuts.add(reason);
  }

  reason(hasToolCalls: boolean): string | undefined {
    if (this.failure) return this.failure;
    if (hasToolCalls && this.hasOfToolCalls) return 'tool_calls';
    return ofCut.find((reason) => this.cuts.has(reason)) ?? this.lastOther ?? this.last;
  }
}
