import { setTimeout as pause } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { asDatabaseOutage } from '../db/connection/failures.ts';
import { Refusal } from '../errors.ts';
import { runForCaller } from './auth/key-cache.ts';
import { checkBodyHeaders, createReceiver } from './body/receive-body.ts';
import { clientAddress } from './client-address.ts';
import { goneSignal } from './client-left.ts';
import { isIdempotent, readKey } from './idempotency/idempotency-key.ts';
import { withIdempotency } from './idempotency/with-idempotency.ts';
import { holderOf, holdUntilAnswered, runUnderQuota } from './limits/quotas.ts';
import { countWithoutCall, hasDrawnCall, isGuessing, limitManagement, limitRequest } from './limits/rate-limits.ts';
import type { Deps } from './ports.ts';
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
  const { secret: isSecret = false, surface } = route.spec;
  return withIdempotency(context, { key, path: pathOf(route.spec, context), sent, isSecret, surface }, (repeatable) =>
    carryOut(route, repeatable),
  );
}

/** Runs one request through a route. Throws what is to be answered as an error. The order of checks is that of `spec 1.2`. */
export async function handleRequest(deps: Deps, route: Route, request: Request, response: Response): Promise<void> {
  const { spec } = route;
  response.locals.guardsAccounts = spec.guardsAccounts;
  if (spec.secret) response.setHeader('Cache-Control', 'no-store');
  checkBodyHeaders(request, spec);
  const ip = clientAddress(request);
  const gone = goneSignal(response);
  const receiver = createReceiver(deps, spec, { request, response, ip, gone });
  const { reply, holder } = await runForCaller(deps, spec, request, async (caller) => {
    const holder = holderOf(caller, ip);
    await limitRequest({ deps, caller, ip }, spec, request);
    try {
      const { context, sent } = await receiver.receive(caller);
      const reply = await withinQuotas(deps, spec, { response, holder, gone }, () =>
        replyTo(route, request, context, sent),
      );
      return { reply, holder };
    } finally {
      if (spec.makesCall && !hasDrawnCall(response)) countWithoutCall({ deps, caller, ip }, spec);
    }
  }).catch(async (error: unknown) => {
    await receiver.measureUnread();
    // Discards what still comes of a body that nobody reads: it would be held until the answer.
    if (!request.complete) request.resume();
    if (error instanceof Refusal && (error.status === 429 || isGuessing(deps, ip, error))) await slowDown(gone);
    throw error;
  });
  if (reply.status === 429) await slowDown(gone);
  await send(deps, reply, { response, holder, gone });
}

/** A client that repeats what is refused without a pause would take a core for the refusals alone. */
const slowedDownMs = 500;

/** Holds a refusal back, while its client waits for it. */
const slowDown = (gone: AbortSignal): Promise<unknown> =>
  pause(slowedDownMs, undefined, { signal: gone }).catch(() => undefined);

/** Who waits for the answer, and on what. */
interface Answering {
  response: Response;
  holder: string;
  gone: AbortSignal;
}

/** Carries out what takes of a quota beyond its body. A list holds its place until the client has read it. */
async function withinQuotas(
  { quotas: { workflowStarts, lists, reports } }: Deps,
  { quota }: RouteSpec,
  { response, holder, gone }: Answering,
  work: () => Promise<Reply>,
): Promise<Reply> {
  if (!quota) return work();
  if (quota === 'workflowStarts') return runUnderQuota([workflowStarts], holder, work, gone);
  await holdUntilAnswered(lists, holder, response, { signal: gone });
  return runUnderQuota([reports, lists], holder, work, gone);
}

async function send({ quotas, metrics }: Deps, reply: Reply, { response, holder, gone }: Answering): Promise<void> {
  const { body } = reply;
  if (body instanceof EventStream) {
    metrics.streamsOpen.inc();
    return sendReply(response, reply, gone).finally(() => metrics.streamsOpen.dec());
  }
  if (isLargeAnswer(body))
    await holdUntilAnswered(quotas.answers, holder, response, { weight: body.length, signal: gone });
  return sendReply(response, reply, gone);
}
