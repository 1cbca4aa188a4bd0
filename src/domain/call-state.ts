import type { Price } from './pricing.ts';

/** A model that may serve a call: the primary first, then the fallbacks in order. */
export interface Candidate extends Price {
  model: string;
}

/** How a request to one model ended. */
export const attemptOutcomes = ['succeeded', 'failed', 'cancelled', 'interrupted'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

export const callError = {
  cancelled: 'cancelled',
  interrupted: 'interrupted after the first token',
  lost: 'the worker was lost',
  streamLost: 'the stream was lost',
  terminated: "the job's workflow was terminated",
  retracted: 'unavailable',
} as const;

/** The longest error or reason, in characters: the contracts and PostgreSQL count code points. */
export const errorLimit = 1_000;

/** A character takes two UTF-16 units at most. */
export const fitsErrorLimit = (text: string): boolean =>
  text.length <= 2 * errorLimit && [...text].length <= errorLimit;

/** Cuts a text to `limit` UTF-16 units, which any record takes, never in the middle of a surrogate pair. */
export const shorten = (text: string, limit = errorLimit): string =>
  text.length <= limit ? text : text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
