import { APIConnectionError, APIError, CallFailedError } from './errors.ts';

/** A wait that is longer than this is left to the program. */
export const maxRetryAfterSeconds = 60;
const firstBackoffMs = 500;
const maxBackoffMs = 8_000;
/** How much a wait of `Retry-After` is lengthened at most, so that many clients do not come back at the same moment. */
const spreadMs = 250;

export interface Failure {
  error: unknown;
  /** How often the request was repeated, and how often it may be. */
  repetitions: number;
  maxRetries: number;
  /** Whether the gateway takes an Idempotency-Key, or the request changes nothing, so that a second one has no second effect. */
  isSafe: boolean;
  /** Milliseconds since the connection of an earlier attempt was lost on its way; null if none was. */
  lostForMs: number | null;
  /** How long one attempt may take. */
  timeoutMs: number;
}

export interface Repetition {
  waitMs: number;
  /** Waiting for the own first request, or for a gateway that starts again, is no repetition. */
  counts: boolean;
}

/** How long a gateway that was lost may take to be there again. An api that is killed starts again within 3 to 8 s. */
const maxRestartMs = 60_000;

/** The longer a call has been waited for, the more rarely it is asked for: such requests count in a limit of the team. */
const waitedShare = 0.1;

/** What was on its way when the connection was lost goes on at the gateway: it is waited for. */
function isWaitForOwn({ error, lostForMs, timeoutMs }: Failure): boolean {
  if (lostForMs === null) return false;
  if (error instanceof APIConnectionError) return error.isRefused && lostForMs < maxRestartMs;
  return error instanceof APIError && error.code === 'request_in_progress' && lostForMs < timeoutMs;
}

export const backoffMs = (repetitions: number, random: number): number =>
  Math.min(firstBackoffMs * 2 ** repetitions, maxBackoffMs) * (1 + random / 2);

function isRepeatable({ error, isSafe }: Failure): boolean {
  if (error instanceof APIConnectionError) return isSafe;
  if (!(error instanceof APIError) || error instanceof CallFailedError) return false;
  const { status, retryAfter } = error;
  if (status === 429 || status === 503) return true;
  if (status === 409) return retryAfter !== null;
  return isSafe && (status === 408 || status >= 500);
}

/** Whether, and after what time, a request is sent once more with the same Idempotency-Key. */
export function repetitionOf(failure: Failure, random: number): Repetition | null {
  if (!isRepeatable(failure)) return null;
  const { error, repetitions, maxRetries } = failure;
  const retryAfter = error instanceof APIError ? error.retryAfter : null;
  if (retryAfter !== null && retryAfter > maxRetryAfterSeconds) return null;
  const counts = maxRetries === 0 || !isWaitForOwn(failure);
  if (counts && repetitions >= maxRetries) return null;
  const ownMs = counts ? 0 : Math.min((failure.lostForMs ?? 0) * waitedShare, maxBackoffMs);
  const waitMs = retryAfter === null ? backoffMs(repetitions, random) : retryAfter * 1_000 + random * spreadMs;
  return { waitMs: Math.max(waitMs, ownMs), counts };
}
