import type { Request, Response } from 'express';
import { newCallUse, newTokenUse } from '../../calls/token-budget.ts';
import { atRefusal, Refusal, refuseByBound, refuseByLimit } from '../../errors.ts';
import { networkOf } from '../../holders/network.ts';
import { type LimitUse, limitName } from '../../redis/limits/counters.ts';
import type { Taken } from '../../redis/limits/rate-limits.ts';
import { cookieOf, credentialOf } from '../../services/caller.ts';
import { isNewCall } from '../idempotency/idempotency-key.ts';
import type { RequestContext, RouteSpec } from '../route.ts';
import { setLimitHeaders } from './limit-headers.ts';

const windowMs = 60_000;

type LimitRefusal = 'rate_limited' | 'too_many_logins';

/** Takes all of the uses or refuses. The headers show the limit of the first use, or of the one that is refused. */
export async function takeLimits(
  { deps, setHeader }: Pick<RequestContext, 'deps' | 'setHeader'>,
  uses: readonly LimitUse[],
  refusal: LimitRefusal = 'rate_limited',
): Promise<Taken> {
  const taken = await deps.rateLimits.take(uses);
  const first = taken.refusedBy ?? 0;
  const state = taken.states[first]!;
  if (taken.refusedBy !== undefined) throw refuseByLimit(refusal, state, limitName(uses[first]!));
  setLimitHeaders(setHeader, state);
  return taken;
}

/** Refuses if a counter of this process shows that a limit is exhausted. Takes nothing, without a round trip. */
export function refuseExhausted(
  { deps }: Pick<RequestContext, 'deps'>,
  uses: readonly LimitUse[],
  refusal: LimitRefusal = 'rate_limited',
): void {
  for (const use of uses) {
    const state = deps.rateLimits.exhausted(use);
    if (state) throw refuseByLimit(refusal, state, limitName(use));
  }
}

/** What is not limited by its contract has a limit that only a flood meets: 200 a second by default. */
export const frequentFactor = 10;

/**
 * All requests of one holder, whatever their outcome. Requests to the endpoints of calls that make no call have a counter of their
 * own. A team with a higher limit of calls may send as many requests.
 */
function newRequestUse({ deps, caller, holder }: Requesting, spec: RouteSpec): LimitUse {
  const ofTeam = caller.kind === 'team' ? (caller.settings.rpm_limit ?? 0) : 0;
  const limit = Math.max(deps.config.RATE_LIMIT_REQUESTS_PER_MINUTE, ofTeam);
  const [kind, factor] = spec.makesCall
    ? ['without-call', 1]
    : spec.limits?.rate === 'frequent'
      ? ['frequent', frequentFactor]
      : ['requests', 1];
  // An open console takes nothing from the programs of its team.
  const client = cookieOf(caller) ? 'console:' : '';
  return { key: `${kind}:${client}${holder}`, cost: 1, limit: limit * factor, windowMs };
}

type Requesting = Pick<RequestContext, 'deps' | 'caller' | 'holder'>;

/**
 * Limits the requests of a holder before their bodies are read. A call has a limit of its own, and is refused here only if a
 * counter of this process shows that it is exhausted. A call with an Idempotency-Key may have a stored answer, so only the counter
 * of requests without a call refuses it. Only the refusal has headers of this limit: those of other answers are of the route's
 * own limit.
 */
export async function limitRequest(context: Requesting, spec: RouteSpec, request: Request): Promise<void> {
  const { deps, caller } = context;
  // `limitStrangers` limits the requests of a network.
  if (spec.limits?.rate === 'frequent' && caller.kind === 'anonymous') return;
  const requests = newRequestUse(context, spec);
  const uses =
    caller.kind === 'team' && isNewCall(spec, request) ? [requests, newCallUse(deps.config, caller)] : [requests];
  refuseExhausted(context, uses);
  if (spec.makesCall) return;
  const { refusedBy, states } = await deps.rateLimits.take([requests]);
  if (refusedBy !== undefined) throw refuseByLimit('rate_limited', states[refusedBy]!, limitName(requests));
}

/**
 * A 429 of a call shows both limits of its team, also when it is refused before it takes of them. The limit that refuses is shown
 * as that of calls. The tokens are those that this process has taken: a refusal takes no round trip.
 */
export function withTeamLimits(
  { deps, caller, spec }: Pick<RequestContext, 'deps' | 'caller'> & { spec: RouteSpec },
  error: unknown,
): unknown {
  const limit = error instanceof Refusal ? error.limit : undefined;
  if (!spec.makesCall || caller.kind !== 'team' || !limit || limit.team) return error;
  const tokens = atRefusal(deps.rateLimits.stateHere(newTokenUse(deps.config, caller, 0)));
  const { code, message, headers } = error as Refusal;
  return new Refusal(code, message, headers, { ...limit, team: { calls: limit, tokens } });
}

/** The answer has the headers of the limit of calls. */
export const hasCallLimitHeaders = (response: Response): boolean => response.hasHeader('X-RateLimit-Limit');

/** Counts a request to a call endpoint that made no call: a repetition, or one that was refused before it took of its limit. */
export function countWithoutCall(context: Requesting, spec: RouteSpec): void {
  void context.deps.rateLimits.take([newRequestUse(context, spec)]);
}

/**
 * Counts a refused credential. True if its network has sent so many within a minute that further refusals are delayed. Valid
 * credentials from the same network are not affected.
 */
export function countRefusedCredential(
  { config, rateLimits }: RequestContext['deps'],
  ip: string,
  { status }: Refusal,
): boolean {
  if (status !== 401) return false;
  const limit = config.RATE_LIMIT_REQUESTS_PER_MINUTE;
  const use = { key: `refused-credentials:${networkOf(ip)}`, cost: 1, limit, windowMs };
  if (rateLimits.exhausted(use)) return true;
  void rateLimits.take([use]);
  return false;
}

/**
 * Limits organization and team endpoints for each credential, reads apart from writes (`spec 9.1`). A session by cookie has reads
 * of its own (`spec 19.7`).
 */
export async function limitManagement(context: RequestContext, method: RouteSpec['method']): Promise<void> {
  const { deps, caller } = context;
  const { RATE_LIMIT_READS_PER_MINUTE, RATE_LIMIT_SESSION_READS_PER_MINUTE, RATE_LIMIT_WRITES_PER_MINUTE } =
    deps.config;
  const cookie = cookieOf(caller);
  const reads = cookie
    ? { key: `reads:session:${cookie.sessionId}`, limit: RATE_LIMIT_SESSION_READS_PER_MINUTE }
    : { key: `reads:${credentialOf(caller)}`, limit: RATE_LIMIT_READS_PER_MINUTE };
  const writes = { key: `writes:${credentialOf(caller)}`, limit: RATE_LIMIT_WRITES_PER_MINUTE };
  await takeLimits(context, [{ ...(method === 'get' ? reads : writes), cost: 1, windowMs }]);
}

/** Each registration has an audit entry of its own, which is never deleted, as has the deletion that follows. */
const registrationsOfEachPerDay = 20;
const dayMs = 86_400_000;

/** Limits how many webhooks a team registers, with its key and its sessions together. */
export async function limitRegistrations({ deps, caller }: Pick<RequestContext, 'deps' | 'caller'>): Promise<void> {
  if (caller.kind !== 'team') return;
  const limit = registrationsOfEachPerDay * deps.config.MAX_WEBHOOKS_PER_TEAM;
  const use = { key: `registrations:${caller.teamId}`, cost: 1, limit, windowMs: dayMs };
  const { refusedBy, states } = await deps.rateLimits.take([use]);
  if (refusedBy === undefined) return;
  throw refuseByBound('webhooks registered in a day', limit, states[refusedBy]!.resetMs);
}

/** A test or a repeated delivery makes this service send a request to a URL that the team chose. */
const deliveriesPerMinute = 10;

/** Limits the requested deliveries of a webhook, for all callers together. */
export async function limitDeliveries(
  context: Pick<RequestContext, 'deps' | 'setHeader'>,
  webhookId: string,
): Promise<void> {
  const use = { key: `deliveries:${webhookId}`, cost: 1, limit: deliveriesPerMinute, windowMs };
  await takeLimits(context, [use]);
}
