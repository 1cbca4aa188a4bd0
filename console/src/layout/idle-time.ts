const minuteMs = 60_000;

/** The service records the use of a session at most once in this time: `src/db/sessions/idle.ts`. */
export const noteMsOf = (idleMs: number): number => Math.min(minuteMs, idleMs / 10);

/**
 * Milliseconds until the page locks itself. That is before the service ends the session, because the last use that the service has
 * recorded may be older by `noteMsOf`.
 */
export const leftMs = (idleMs: number, usedAtMs: number, now: number): number =>
  usedAtMs + idleMs - noteMsOf(idleMs) - now;

/** A timer of more than 2^31 - 1 ms, 24.8 days, ends at once: a longer time is looked at again before. */
const longestTimerMs = 2_147_483_647;

/** When to look again whether the time is over. */
export const checkInMs = (left: number): number => Math.min(left, longestTimerMs);
