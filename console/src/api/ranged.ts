import type { RangeSearch } from '../url/time-range.ts';

/** The answer with the range that it was requested for, for the links of its figures: those of before are shown while others are read. */
export const withAsked = async <Answer>(
  asked: RangeSearch,
  answer: Promise<Answer>,
): Promise<Answer & { asked: RangeSearch }> => ({
  ...(await answer),
  asked,
});
