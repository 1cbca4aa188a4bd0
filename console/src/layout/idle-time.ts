const minuteMs = 60_000;

/** How exactly the service notes the use of a session: `src/db/sessions/idle.ts`. */
export const noteMsOf = (idleMs: number): number => Math.min(minuteMs, idleMs / 10);

/** What is left until the page locks itself: before the service ends the session, which may know of a use that is older by `noteMsOf`. */
export const leftMs = (idleMs: number, usedAtMs: number, now: number): number =>
  usedAtMs + idleMs - noteMsOf(idleMs) - now;
