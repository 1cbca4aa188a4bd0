import { meaningOfFinish, stopped } from '../../domain/finish-reason.ts';

/** The meanings of an answer that was cut, of which the first counts. */
const cutMeanings = ['content_filter', 'length'] as const;

export const isFailure = (reason: string): boolean => meaningOfFinish(reason) === 'failed';

/**
 * The finish reason of an answer that has several: the one with which it failed; `tool_calls` where there are tool calls; the one
 * with which it was cut; the last one.
 */
export class FinishReasons {
  private failure: string | undefined;
  private hasOfToolCalls = false;
  private readonly cuts = new Map<string, string>();
  private lastOther: string | undefined;
  private last: string | undefined;

  add(given: string): void {
    const reason = given === stopped ? 'stop' : given;
    const meaning = meaningOfFinish(reason);
    this.last = reason;
    if (meaning === 'failed') this.failure ??= reason;
    if (meaning === 'tool_calls' || meaning === 'function_call') this.hasOfToolCalls = true;
    else this.lastOther = reason;
    if (meaning === 'content_filter' || meaning === 'length') this.cuts.set(meaning, reason);
  }

  reason(hasToolCalls: boolean): string | undefined {
    if (this.failure) return this.failure;
    if (hasToolCalls && this.hasOfToolCalls) return 'tool_calls';
    const cut = cutMeanings.find((meaning) => this.cuts.has(meaning));
    return (cut && this.cuts.get(cut)) ?? this.lastOther ?? this.last;
  }
}
