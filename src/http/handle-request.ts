import type { Request, Response } from 'express';
import { asOutage } from '../db/failures.ts';
import type { Deps } from '../deps.ts';
import { isIdempotent, readKey } from './idempotency/idempotency-key.ts';
import { withIdempotency } from './idempotency/with-idempotency.ts';
import { limitManagement } from './limits.ts';
import { readRequest } from './read-request.ts';
import { type Reply, replyOf, sendReply } from './reply.ts';
import type { RequestContext, Route } from './route.ts';
import { EventStream } from './stream/event-stream.ts';

/** What a handler came to: a checked answer, or a stream. */
async function carryOut({ spec, handle }: Route, context: RequestContext): Promise<unknown> {
  if (spec.limit === 'management') await limitManagement(context, spec.method);
  const answer = await handle(context).catch((error: unknown) => {
    throw asOutage(error);
  });
  if (answer instanceof EventStream) return answer;
  // What goes out is parsed too: an answer outside its schema is our bug, not the client's riddle.
  return spec.response.parse(answer);
}

async function replyTo(route: Route, request: Request, context: RequestContext, sent: unknown): Promise<Reply> {
  const key = isIdempotent(route.spec) ? readKey(request) : undefined;
  if (key === undefined) return replyOf(await carryOut(route, context), route.spec.produces);
  return withIdempotency(context, { key, path: request.path, sent }, (repeatable) => carryOut(route, repeatable));
}

/** Runs one request through a route. Throws what is to be answered as an error. */
export async function handleRequest(deps: Deps, route: Route, request: Request, response: Response): Promise<void> {
  if (route.spec.secret) response.setHeader('Cache-Control', 'no-store');
  const { context, sent } = await readRequest(deps, route.spec, request, response);
  const reply = await replyTo(route, request, context, sent);
  const isStream = reply.body instanceof EventStream;
  if (isStream) deps.metrics.streamsOpen.inc();
  await sendReply(response, reply, context.gone).finally(() => isStream && deps.metrics.streamsOpen.dec());
}
