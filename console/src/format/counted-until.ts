interface CountedCalls {
  /** The first moment after the range. */
  to: string;
  complete_until: string;
}

/** Until when calls are counted, where that is before the end of the range; undefined: all of the range is. */
export const countedUntil = ({ to, complete_until }: CountedCalls): string | undefined =>
  Date.parse(complete_until) < Date.parse(to) ? complete_until : undefined;
