interface CountedCalls {
  /** The first moment after the range. */
  to: string;
  complete_until: string;
}

/** The moment until which calls are counted; undefined where the whole range is counted. */
export const countedUntil = ({ to, complete_until }: CountedCalls): string | undefined =>
  Date.parse(complete_until) < Date.parse(to) ? complete_until : undefined;

/** Before the first round of maintenance no call is counted: the watermark is the beginning of time. */
export const isCountedAtAll = (complete_until: string): boolean => Date.parse(complete_until) > 0;
