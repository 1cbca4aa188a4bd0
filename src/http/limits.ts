import { refuse } from '../errors.ts';
import type { Draw, Standing } from '../redis/limits/counters.ts';
import type { Taken } from '../redis/limits/rate-limits.ts';
import { credentialOf, teamOf } from './caller.ts';
import { KeyChanged } from './known-key.ts';
import type { RequestContext, RouteSpec } from './route.ts';

const windowMs = 60_000;

/** `rulings.md` 9.3. Reset is the Unix time, in seconds, at which the window ends. */
const headersOf = ({ limit, remaining, resetMs }: Standing): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Math.ceil((Date.now() + resetMs) / 1_000)),
});

/** The headers show the first draw, or the one that refuses. */
export async function takeLimits(
  { deps, setHeader }: Pick<RequestContext, 'deps' | 'setHeader'>,
  draws: readonly Draw[],
  refusal: 'rate_limited' | 'too_many_logins' = 'rate_limited',
): Promise<Taken> {
  const taken = await deps.rateLimits.take(draws);
  const standing = taken.standings[taken.refusedBy ?? 0]!;
  const headers = headersOf(standing);
  if (taken.refusedBy !== undefined) {
    const retryAfter = String(Math.max(1, Math.ceil(standing.resetMs / 1_000)));
    throw refuse(refusal).with({ 'Retry-After': retryAfter, ...headers });
  }
  for (const [name, value] of Object.entries(headers)) setHeader(name, value);
  return taken;
}

/** Limits organization and team endpoints for each credential, reads apart from writes. `interface.md`, "Limits". */
export async function limitManagement(context: RequestContext, method: RouteSpec['method']): Promise<void> {
  const { config } = context.deps;
  const limits = { reads: config.RATE_LIMIT_READS_PER_MINUTE, writes: config.RATE_LIMIT_WRITES_PER_MINUTE };
  const kind = method === 'get' ? 'reads' : 'writes';
  const key = `${kind}:${credentialOf(context.caller)}`;
  await takeLimits(context, [{ key, cost: 1, limit: limits[kind], windowMs }]);
}

/** The tokens that a call has taken of its team's limit. Exactly one of the two methods is to be called, once. */
export interface TokenReservation {
  /** The call has ended and used this many. */
  settle(totalTokens: number): void;
  /**
   * The call was refused, or not made: the tokens are given back. The request still counts, unless it is about to be carried
   * out again.
   */
  release(reason: unknown): void;
}

/**
 * Takes one call and its estimated tokens out of the team's minute, both or neither. An estimate over the limit is cut to it,
 * so that a large call can be made at all. The headers show the limit of requests, or that of tokens if it refuses.
 * `rulings.md` 9.1.
 */
export async function limitCall(context: RequestContext, estimateTokens: number): Promise<TokenReservation> {
  const { teamId, rpmLimit, tpmLimit } = teamOf(context.caller);
  const { RATE_LIMIT_CALLS_PER_MINUTE, RATE_LIMIT_TOKENS_PER_MINUTE } = context.deps.config;
  const tokenLimit = tpmLimit ?? RATE_LIMIT_TOKENS_PER_MINUTE;
  const reserved = Math.min(Math.max(1, Math.ceil(estimateTokens)), tokenLimit);
  const call = { key: `calls:${teamId}`, cost: 1, limit: rpmLimit ?? RATE_LIMIT_CALLS_PER_MINUTE, windowMs };
  const tokens = { key: `tokens:${teamId}`, cost: reserved, limit: tokenLimit, windowMs };
  const taken = await takeLimits(context, [call, tokens]);
  return {
    // After the answer is out: the client's next request comes later than this.
    settle: (totalTokens) => void setImmediate(() => taken.correct(tokens, totalTokens - reserved)),
    release: (reason) => {
      taken.correct(tokens, -reserved);
      if (reason instanceof KeyChanged) taken.correct(call, -1);
    },
  };
}
