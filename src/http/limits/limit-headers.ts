import type { LimitAtRefusal, LimitStanding } from '../../errors.ts';

/** `spec 9.3`. Reset is the Unix time, in seconds, at which the window ends. */
const headersOf = ({ limit, remaining, resetsAt }: LimitAtRefusal): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Math.ceil(resetsAt / 1_000)),
});

/** Sets the headers of an answer that a limit let through. */
export function setLimitHeaders(
  setHeader: (name: string, value: string) => void,
  { limit, remaining, resetMs }: LimitStanding,
): void {
  const headers = headersOf({ limit, remaining, resetsAt: Date.now() + resetMs });
  for (const [name, value] of Object.entries(headers)) setHeader(name, value);
}

/** The headers of a 429. */
export const refusingLimitHeaders = (limit: LimitAtRefusal): Record<string, string> => ({
  'Retry-After': String(Math.max(1, Math.ceil((limit.resetsAt - Date.now()) / 1_000))),
  ...headersOf(limit),
});

/** How a limit that refused stands now. */
export const standingNow = ({ limit, remaining, resetsAt }: LimitAtRefusal): LimitStanding => ({
  limit,
  remaining,
  resetMs: Math.max(0, resetsAt - Date.now()),
});
