import { isDeepStrictEqual } from 'node:util';
import type { Request, Response } from 'express';
import { VirtualKeyChanged } from '../../calls/call-context.ts';
import { findTeamByKey } from '../../db/keys/find-team-by-key.ts';
import { Unavailable } from '../../errors.ts';
import type { Deps } from '../ports.ts';
import type { Route } from '../route.ts';
import { traceRequest } from '../trace-request.ts';
import { authenticateCaller } from './authenticate-caller.ts';
import { checkBodyHeaders } from './check-body-headers.ts';
import { claimIdempotencyKey } from './claim-idempotency-key.ts';
import { type Exchange, openExchange, type Step } from './exchange.ts';
import { execute } from './execute.ts';
import { limitEndpoint } from './limit-endpoint.ts';
import { limitRequests } from './limit-requests.ts';
import { readBody } from './read-body.ts';
import { refuseRequest } from './refuse-request.ts';
import { sendReply } from './send-reply.ts';
import { storeReply, toKeyedReply } from './store-reply.ts';
import { takePlace } from './take-place.ts';
import { validateRequest } from './validate-request.ts';

/** Who sends what. The order of checks is that of `spec 1.2`; host and path are checked in `app.ts`. */
const receiving: readonly Step[] = [
  authenticateCaller, // 401, 403
  limitRequests, // 429: all requests of the caller
  readBody, // 413, 429; and 401, 403, because the right may have ended meanwhile
  validateRequest, // 422; 413, 415 for what the bytes turn out to be; 429
];

/** What is done for it. All up to the first wait is in the same turn on the thread, because it may take as long as the body is long. */
const executing: readonly Step[] = [
  takePlace, // 429, 503
  claimIdempotencyKey, // 409, 422; a repeated request has its reply now
  limitEndpoint, // 429: the requests of this kind
  execute, // the use case: 403, 404, 409 and others
];

/** Handles one request of a route, from its head to the last byte of its answer. Throws the error that is to be sent. */
export async function handleRequest(deps: Deps, route: Route, request: Request, response: Response): Promise<void> {
  traceRequest(deps, route.spec, request, response);
  const exchange = openExchange(deps, route, request, response);
  checkBodyHeaders(exchange); // 413, 415
  try {
    await untilVirtualKeyHolds(exchange);
    await storeReply(exchange);
    exchange.end();
  } catch (error) {
    exchange.end(error);
    throw await refuseRequest(exchange, error);
  }
  await sendReply(exchange);
}

/**
 * Whether a request that has failed did so with what its key no longer is. The statement that records a call has verified the key; a
 * cached one that is refused without that statement is verified here.
 */
async function hasKeyChanged({ deps, caller, response }: Exchange, error: unknown): Promise<boolean> {
  if (caller.kind !== 'team') return false;
  const { cached, key } = caller;
  const isUnverified = cached !== undefined && !response.hasHeader('X-Call-Id') && !(error instanceof Unavailable);
  const hasChanged =
    error instanceof VirtualKeyChanged ||
    (isUnverified && !isDeepStrictEqual(await findTeamByKey(deps.database, key.hashes), cached));
  if (hasChanged) deps.keyCache.delete(key.hashes);
  return hasChanged;
}

/**
 * A call whose virtual key has changed since it was looked up is made once more, for what the key is now. With an Idempotency-Key it is
 * answered 503 instead: a repetition finds the key as it is then.
 */
async function untilVirtualKeyHolds(exchange: Exchange): Promise<void> {
  try {
    await answer(exchange);
  } catch (error) {
    if (!(await hasKeyChanged(exchange, error))) throw error;
    await answer(exchange);
  }
}

async function answer(exchange: Exchange): Promise<void> {
  await run(receiving, exchange);
  const executed = run(executing, exchange);
  exchange.leaveThread();
  await executed.catch((error: unknown) => toKeyedReply(exchange, error));
}

async function run(steps: readonly Step[], exchange: Exchange): Promise<void> {
  for (const step of steps) {
    const waiting = step(exchange);
    // No wait without need: up to the first one, the steps of `executing` are in the turn that `validateRequest` has taken.
    if (waiting) await waiting;
    if (exchange.reply) return;
  }
}
