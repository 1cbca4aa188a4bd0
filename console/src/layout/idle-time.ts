const minuteMs = 60_000;

/** The service records the use of a session at most once in this time: `src/db/sessions/idle.ts`. */
export const noteMsOf = (idleMs: number): number => Math.min(minuteMs, idleMs / 10);

/**
 * Milliseconds until the page locks itself. That is before the service ends the session, because the last use that the service has
 * recorded may be older by `noteMsOf`.
 */
export const leftMs = (idleMs: number, usedAtMs: number, now: number): number =>
  usedAtMs + idleMs - noteMsOf(idleMs) - now;
