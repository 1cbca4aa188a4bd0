import type { Request, Response } from 'express';
import { asDatabaseOutage } from '../db/failures.ts';
import type { Deps } from '../deps.ts';
import { isIdempotent, readKey } from './idempotency/idempotency-key.ts';
import { withIdempotency } from './idempotency/with-idempotency.ts';
import { onBehalf } from './known-key.ts';
import { limitManagement } from './limits.ts';
import { checkBodyHeaders, measureBody, readBytes } from './read-body.ts';
import { readRequest } from './read-request.ts';
import { type Reply, replyOf, sendReply } from './reply.ts';
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
  const isSecret = route.spec.secret === true;
  return withIdempotency(context, { key, path: pathOf(route.spec, context), sent, isSecret }, (repeatable) =>
    carryOut(route, repeatable),
  );
}

/** Runs one request through a route. Throws what is to be answered as an error. The order of checks is that of `rulings.md` 1.2. */
export async function handleRequest(deps: Deps, route: Route, request: Request, response: Response): Promise<void> {
  if (route.spec.secret) response.setHeader('Cache-Control', 'no-store');
  checkBodyHeaders(request, route.spec);
  let arriving: Promise<Buffer | undefined> | undefined;
  const { reply, gone } = await onBehalf(deps, route.spec, request, async (caller) => {
    // Only now: a request without a credential must not make the process hold ten megabytes.
    arriving ??= readBytes(deps, route.spec, caller, { request, response });
    const { context, sent } = readRequest(deps, route.spec, caller, { request, response, body: await arriving });
    return { reply: await replyTo(route, request, context, sent), gone: context.gone };
  }).catch(async (error: unknown) => {
    if (!arriving) await measureBody(request, route.spec);
    throw error;
  });
  const isStream = reply.body instanceof EventStream;
  if (isStream) deps.metrics.streamsOpen.inc();
  await sendReply(response, reply, gone).finally(() => isStream && deps.metrics.streamsOpen.dec());
}
