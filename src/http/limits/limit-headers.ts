import type { LimitAtRefusal, LimitState } from '../../errors.ts';

/** `spec 9.3`. Reset is the Unix time, in seconds, at which the window ends. */
const toHeaders = ({ limit, remaining, resetsAt }: LimitAtRefusal): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Math.ceil(resetsAt / 1_000)),
});

/** Sets the headers of an answer that a limit let through. */
export function setLimitHeaders(
  setHeader: (name: string, value: string) => void,
  { limit, remaining, resetMs }: LimitState,
): void {
  const headers = toHeaders({ limit, remaining, resetsAt: Date.now() + resetMs });
  for (const [name, value] of Object.entries(headers)) setHeader(name, value);
}

/** The headers of a 429. */
export const refusingLimitHeaders = (limit: LimitAtRefusal): Record<string, string> => ({
  'Retry-After': String(Math.max(1, Math.ceil((limit.resetsAt - Date.now()) / 1_000))),
  ...toHeaders(limit),
});

/** The state now of a limit that refused. */
export const stateNow = ({ limit, remaining, resetsAt }: LimitAtRefusal): LimitState => ({
  limit,
  remaining,
  resetMs: Math.max(0, resetsAt - Date.now()),
});
