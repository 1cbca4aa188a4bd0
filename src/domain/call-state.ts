import type { Price } from './pricing.ts';

/** A model that may serve a call: the primary first, then the fallbacks in order. */
export interface Candidate extends Price {
  model: string;
}

export const callStatuses = ['queued', 'running', 'succeeded', 'failed', 'refused'] as const;
export type CallStatus = (typeof callStatuses)[number];

/**
 * The life of a call. It is queued when it is recorded, and running from when a worker has started it. A start may be lost with a
 * crash of PostgreSQL: so a result may follow on `queued`.
 * Refused: its job was closing. A call that no worker had started when its client received that it will not be made is retracted:
 * its row is deleted.
 */
const transitions: Record<CallStatus, readonly CallStatus[]> = {
  queued: ['running', 'succeeded', 'failed', 'refused'],
  running: ['running', 'succeeded', 'failed', 'refused'],
  succeeded: [],
  failed: [],
  refused: [],
};

/** The statuses that this one may follow. */
export const callStatusesBefore = (status: CallStatus): CallStatus[] =>
  callStatuses.filter((earlier) => transitions[earlier].includes(status));

/** An attempt may still write to the call. */
export const openCallStatuses = callStatuses.filter((status) => transitions[status].includes('succeeded'));

/** A worker made the call: it has tokens and cost, and counts for its job. */
export const madeCallStatuses = ['succeeded', 'failed'] as const satisfies CallStatus[];

/** How a request to one model ended. */
export const attemptOutcomes = ['succeeded', 'failed', 'cancelled', 'interrupted'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

export const callError = {
  cancelled: 'cancelled',
  /** The deadline of its job was over. */
  deadline: 'deadline',
  interrupted: 'interrupted after the first token',
  lost: 'the worker was lost',
  streamLost: 'the stream was lost',
  terminated: "the job's workflow was terminated",
  retracted: 'unavailable',
} as const;

/** The call was aborted although its model worked. */
export const wasAborted = (error: string): boolean => error === callError.cancelled || error === callError.deadline;

/** The longest error or reason, in characters: the contracts and PostgreSQL count code points. */
export const errorLimit = 1_000;

/** A character takes two UTF-16 units at most. */
export const fitsErrorLimit = (text: string): boolean =>
  text.length <= 2 * errorLimit && [...text].length <= errorLimit;

/** Cuts a text to `limit` UTF-16 units, which any record takes, never in the middle of a surrogate pair. */
export const shorten = (text: string, limit = errorLimit): string =>
  text.length <= limit ? text : text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
