import type { Request, Response } from 'express';
import { asDatabaseOutage } from '../db/failures.ts';
import type { Deps } from '../deps.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { clientAddress } from './client-address.ts';
import { goneSignal } from './client-left.ts';
import { isIdempotent, readKey } from './idempotency/idempotency-key.ts';
import { withIdempotency } from './idempotency/with-idempotency.ts';
import { onBehalf } from './known-key.ts';
import { countWithoutCall, limitManagement, limitRequest } from './limits.ts';
import { holderOf, holdUntilAnswered } from './quotas.ts';
import {
  checkBodyHeaders,
  hasBody,
  isLarge,
  measureBody,
  type ReceivedBody,
  receiveBody,
  type Sender,
  unpackBody,
} from './read-body.ts';
import { type ReadRequest, readRequest } from './read-request.ts';
import { isLargeAnswer, type Reply, replyOf, sendReply } from './reply.ts';
import type { RequestContext, Route, RouteSpec } from './route.ts';
import { EventStream } from './stream/event-stream.ts';

/** What a handler returned: a checked answer, or a stream. */
async function carryOut({ spec, handle }: Route, context: RequestContext): Promise<unknown> {
  if (spec.limit === 'management') await limitManagement(context, spec.method);
  const answer = await handle(context).catch((error: unknown) => {
    throw asDatabaseOutage(error);
  });
  if (answer instanceof EventStream) return answer;
  // Answers are parsed too: an answer outside its schema is our bug, not the client's problem.
  return spec.response.parse(answer);
}

/** The path as it was understood: an id in upper case, or a slash at the end, makes no other operation. */
const pathOf = ({ path }: RouteSpec, { params }: RequestContext): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent((params as Record<string, string>)[name]!));

async function replyTo(route: Route, request: Request, context: RequestContext, sent: unknown): Promise<Reply> {
  const key = isIdempotent(route.spec) ? readKey(request) : undefined;
  if (key === undefined) return replyOf(await carryOut(route, context), route.spec.produces);
  return withIdempotency(context, { key, path: pathOf(route.spec, context), sent }, (repeatable) =>
    carryOut(route, repeatable),
  );
}

/** Reads a request in the order of checks that the interface promises, under the quotas of its sender. */
async function readInTurn(
  deps: Deps,
  spec: RouteSpec,
  sender: Sender,
  received: ReceivedBody | undefined,
): Promise<ReadRequest> {
  const { caller, holder, request, response, gone } = sender;
  const read = () => {
    const body = received && unpackBody(request, spec, caller, received.bytes);
    return readRequest(deps, spec, caller, { request, response, body, gone });
  };
  if (!received || !isLarge(request, received.bytes)) return read();
  return deps.quotas.parsing.run(holder, async () => read(), { signal: gone });
}

/**
 * The caller again, if the body was still on its way when the caller's rights were checked: they may have ended meanwhile. A
 * remembered key is checked by the call's own statement.
 */
const stillAuthorized = async (
  deps: Deps,
  spec: RouteSpec,
  { caller, request }: Sender,
  wasHere: boolean,
): Promise<Caller> =>
  wasHere || caller.kind === 'anonymous' || (caller.kind === 'team' && !caller.proved)
    ? caller
    : authenticate(deps, request, spec);

/** Runs one request through a route. Throws what is to be answered as an error. The order of checks is that of `rulings.md` 1.2. */
export async function handleRequest(deps: Deps, route: Route, request: Request, response: Response): Promise<void> {
  const { spec } = route;
  if (spec.secret) response.setHeader('Cache-Control', 'no-store');
  checkBodyHeaders(request, spec);
  const gone = goneSignal(response);
  const ip = clientAddress(request);
  let receiving: Promise<ReceivedBody | undefined> | undefined;
  const { reply, holder } = await onBehalf(deps, spec, request, async (recognized) => {
    const sender = { caller: recognized, holder: holderOf(recognized, ip), request, response, gone };
    const wasHere = request.complete || !hasBody(request);
    const limited = { deps, caller: recognized, ip };
    await limitRequest(limited, spec, request.headers['idempotency-key'] !== undefined);
    // Only now: a request without a credential must not make the process hold ten megabytes.
    receiving ??= receiveBody(deps, spec, sender);
    const received = await receiving;
    try {
      const caller = await stillAuthorized(deps, spec, sender, wasHere);
      const { context, sent } = await readInTurn(deps, spec, { ...sender, caller }, received);
      received?.release();
      if (spec.quota) await holdUntilAnswered(deps.quotas[spec.quota], sender.holder, response, { signal: gone });
      return { reply: await replyTo(route, request, context, sent), holder: sender.holder };
    } finally {
      received?.release();
      if (spec.makesCall && !response.hasHeader('X-RateLimit-Limit')) countWithoutCall(limited);
    }
  }).catch(async (error: unknown) => {
    if (!receiving) await measureBody(request, spec);
    throw error;
  });
  await send(deps, response, reply, { holder, gone });
}

async function send(
  deps: Deps,
  response: Response,
  reply: Reply,
  { holder, gone }: Pick<Sender, 'holder' | 'gone'>,
): Promise<void> {
  const { body } = reply;
  if (!(body instanceof EventStream)) {
    if (isLargeAnswer(body))
      await holdUntilAnswered(deps.quotas.answers, holder, response, { weight: body.length, signal: gone });
    return sendReply(response, reply, gone);
  }
  deps.metrics.streamsOpen.inc();
  await sendReply(response, reply, gone).finally(() => deps.metrics.streamsOpen.dec());
}
