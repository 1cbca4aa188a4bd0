import { setTimeout as pause } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { asDatabaseOutage } from '../db/connection/failures.ts';
import { Refusal } from '../errors.ts';
import type { Holder } from '../holders/holder.ts';
import { authenticate } from './auth/authenticate.ts';
import type { Caller } from './auth/caller.ts';
import { runForCaller } from './auth/run-for-caller.ts';
import { checkBodyHeaders } from './body/receive-body.ts';
import { clientAddress } from './client-address.ts';
import { disconnectSignal } from './client-disconnect.ts';
import { exportCsv, wantsCsv } from './csv/export-csv.ts';
import { headersOfRequest, isIdempotent, readKey } from './idempotency/idempotency-key.ts';
import { withIdempotency } from './idempotency/with-idempotency.ts';
import { holdUntilSent, runWithin } from './limits/hold.ts';
import { holderOf } from './limits/holder-of.ts';
import {
  countRefusedCredential,
  countWithoutCall,
  hasDrawnCall,
  limitManagement,
  limitRequest,
  withTeamLimits,
} from './limits/rate-limits.ts';
import type { Deps } from './ports.ts';
import { createReceiver } from './receive-request.ts';
import { isLargeBody, type Reply, replyOf, sendReply } from './reply.ts';
import type { RequestContext, Route, RouteSpec } from './route.ts';
import { EventStream } from './stream/event-stream.ts';
import { surfaceOf } from './surfaces/index.ts';

/** Runs the handler and returns its checked result, or its stream. */
async function runHandler({ spec, handle }: Route, context: RequestContext): Promise<unknown> {
  const result = await handle(context).catch((error: unknown) => {
    throw asDatabaseOutage(error);
  });
  if (result instanceof EventStream) return result;
  // Results are parsed too: one outside its schema is an error of this service, hence a 500.
  return spec.response.parse(result);
}

/** Executes a request within the limit of its route. */
async function execute(route: Route, context: RequestContext, request: Request): Promise<unknown> {
  const { spec } = route;
  if (spec.limit === 'management') await limitManagement(context, spec.method);
  const { csv } = spec;
  if (!csv || !wantsCsv(context)) return runHandler(route, context);
  const { deps, caller, ip, disconnected } = context;
  const first = (page: RequestContext) => runHandler(route, page);
  // A file is read for minutes: each page waits its turn, and ends the file if the caller has lost its right meanwhile.
  const later = (page: RequestContext) =>
    deps.measures.places.reports.run(
      holderOf(caller, ip),
      async () => {
        await authenticate(deps, request, spec);
        return runHandler(route, page);
      },
      { signal: disconnected },
    );
  return exportCsv(csv, context, { first, later });
}

/** The path with its validated parameters: an id in upper case, or a slash at the end, is the same operation. */
const pathOf = ({ path }: RouteSpec, { params }: RequestContext): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent((params as Record<string, string>)[name]!));

async function replyTo(route: Route, request: Request, context: RequestContext, exactBody: unknown): Promise<Reply> {
  const key = isIdempotent(route.spec) ? readKey(request) : undefined;
  if (key === undefined) return replyOf(await execute(route, context, request), route.spec.produces);
  const { spec } = route;
  const headers = headersOfRequest(spec.headers, context);
  const surface = surfaceOf(spec);
  const keyed = { key, path: pathOf(spec, context), exactBody, headers, isSecret: spec.secret ?? false, surface };
  return withIdempotency(context, keyed, (repeatable) => execute(route, repeatable, request));
}

/** Runs one request through a route. Throws the error that is to be sent. The order of checks is that of `spec 1.2`. */
export async function handleRequest(deps: Deps, route: Route, request: Request, response: Response): Promise<void> {
  const { spec } = route;
  response.locals.guardsAccounts = spec.guardsAccounts;
  if (spec.secret) response.setHeader('Cache-Control', 'no-store');
  checkBodyHeaders(deps, request, spec);
  const ip = clientAddress(request);
  const disconnected = disconnectSignal(response);
  const receiver = createReceiver(deps, spec, { request, response, ip, disconnected });
  const execution = async (caller: Caller) => {
    const holder = holderOf(caller, ip);
    await limitRequest({ deps, caller, ip }, spec, request);
    try {
      const { context, exactBody } = await receiver.receive(caller);
      const reply = await inPlace(deps, spec, { response, holder, disconnected }, () =>
        replyTo(route, request, context, exactBody),
      );
      return { reply, holder };
    } finally {
      if (spec.makesCall && !hasDrawnCall(response)) countWithoutCall({ deps, caller, ip }, spec);
    }
  };
  const { reply, holder } = await runForCaller(deps, spec, request, (caller) =>
    withTeamLimits({ deps, caller }, spec, () => execution(caller)),
  ).catch(async (error: unknown) => {
    await receiver.countUnread();
    // Discards the rest of an unread body, which would be held in memory until the answer.
    if (!request.complete) request.resume();
    if (error instanceof Refusal && (error.status === 429 || countRefusedCredential(deps, ip, error)))
      await delayRefusal(disconnected);
    throw error;
  });
  if (reply.status === 429) await delayRefusal(disconnected);
  await send(deps, reply, { response, holder, disconnected });
}

/** Without a delay, a client that repeats refused requests without pause would occupy a core. */
const refusalDelayMs = 500;

/** Delays a refusal by `refusalDelayMs`, or until its client disconnects. */
const delayRefusal = (disconnected: AbortSignal): Promise<unknown> =>
  pause(refusalDelayMs, undefined, { signal: disconnected }).catch(() => undefined);

/** A request that waits for its answer. */
interface Pending {
  response: Response;
  holder: Holder;
  disconnected: AbortSignal;
}

/** Executes work in a place of its holder. A list counts until the client has read it, a stream of events until it ends. */
async function inPlace(
  { measures: { places } }: Deps,
  { place }: RouteSpec,
  { response, holder, disconnected }: Pending,
  work: () => Promise<Reply>,
): Promise<Reply> {
  if (!place) return work();
  if (place === 'eventStreams') {
    await holdUntilSent(places.eventStreams, holder, response, { signal: disconnected });
    return work();
  }
  if (place === 'jobCommands') return runWithin([places.jobCommands], holder, work, disconnected);
  await holdUntilSent(places.lists, holder, response, { signal: disconnected });
  return runWithin([places.reports, places.lists], holder, work, disconnected);
}

async function send(
  { measures, metrics }: Deps,
  reply: Reply,
  { response, holder, disconnected }: Pending,
): Promise<void> {
  const { body } = reply;
  if (body instanceof EventStream) {
    metrics.streamsOpen.inc();
    return sendReply(response, reply, disconnected).finally(() => metrics.streamsOpen.dec());
  }
  if (typeof body === 'string' && isLargeBody(body))
    await holdUntilSent(measures.bytes, holder, response, { weight: body.length, signal: disconnected });
  return sendReply(response, reply, disconnected);
}
