import { type Refusal, refuse } from '../../errors.ts';
import type { Standing } from '../../redis/limits/counters.ts';

/** `spec 9.3`. Reset is the Unix time, in seconds, at which the window ends. */
export const headersOf = ({ limit, remaining, resetMs }: Standing): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Math.ceil((Date.now() + resetMs) / 1_000)),
});

export type LimitRefusal = 'rate_limited' | 'too_many_logins';

/** A 429 with the headers of the limit that refuses. */
export function refusalOf(standing: Standing, code: LimitRefusal): Refusal {
  const retryAfter = String(Math.max(1, Math.ceil(standing.resetMs / 1_000)));
  return refuse(code).with({ 'Retry-After': retryAfter, ...headersOf(standing) });
}
