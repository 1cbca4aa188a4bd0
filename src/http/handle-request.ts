import type { Request, Response } from 'express';
import { asDatabaseOutage } from '../db/connection/failures.ts';
import { Refusal } from '../errors.ts';
import type { Holder } from '../holders/holder.ts';
import type { Caller } from '../services/caller.ts';
import { holderOf } from '../services/holder-of.ts';
import { authenticate } from './auth/authenticate.ts';
import { notedCaller } from './auth/noted-caller.ts';
import { runForCaller } from './auth/run-for-caller.ts';
import { checkBodyHeaders } from './body/receive-body.ts';
import { clientAddress } from './client-address.ts';
import { disconnectSignal } from './client-disconnect.ts';
import { CsvFile } from './csv/csv-file.ts';
import { exportCsv, wantsCsv } from './csv/export-csv.ts';
import { headersOfRequest, isIdempotent, readKey } from './idempotency/idempotency-key.ts';
import { withIdempotency } from './idempotency/with-idempotency.ts';
import { delayRefusal } from './limits/delay-refusal.ts';
import { holdUntilSent, runWithin } from './limits/hold.ts';
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
import { surfaceOf } from './surfaces.ts';

/** Runs the handler; that of a list while its holder has one of the places at the database. */
function runHandler({ spec, handle }: Route, context: RequestContext): Promise<unknown> {
  const { deps, caller, ip, disconnected: signal } = context;
  const { reports, lists } = deps.measures.places;
  const run = () =>
    handle(context).catch((error: unknown) => {
      throw asDatabaseOutage(error);
    });
  return spec.limits?.place === 'lists' ? runWithin([reports, lists], holderOf(caller, ip), run, { signal }) : run();
}

/** The result of a handler as it is sent. It is parsed too: one outside its schema is an error of this service, hence a 500. */
const check = ({ response }: RouteSpec, result: unknown): unknown =>
  result instanceof EventStream || result instanceof CsvFile ? result : response.parse(result);

/** Work on a list or a file, which may have megabytes: that of one holder is done one after the other. */
const inTurn = <T>({ deps, caller, ip, disconnected }: RequestContext, work: () => T): Promise<T> =>
  deps.measures.thread.run(holderOf(caller, ip), async () => work(), { signal: disconnected });

/** Executes a request within the limit of its route. The result is not checked. */
async function execute(route: Route, context: RequestContext, request: Request): Promise<unknown> {
  const { spec } = route;
  if (spec.limits?.rate === 'management') await limitManagement(context, spec.method);
  const { csv } = spec;
  if (!csv || !wantsCsv(context)) return runHandler(route, context);
  const first = (page: RequestContext) => runHandler(route, page);
  // A file is read for minutes: it ends if the caller has lost its right meanwhile.
  const later = async (page: RequestContext) => {
    await authenticate(context.deps, request, spec);
    return runHandler(route, page);
  };
  return exportCsv(csv, context, {
    first,
    later,
    check: (page) => check(spec, page),
    inTurn: (work) => inTurn(context, work),
  });
}

/** The path with its validated parameters: an id in upper case, or a slash at the end, is the same operation. */
const pathOf = ({ path }: RouteSpec, { params }: RequestContext): string =>
  path.replaceAll(/\{\+?(\w+)\}/g, (_, name: string) => encodeURIComponent((params as Record<string, string>)[name]!));

async function replyTo(route: Route, request: Request, context: RequestContext, exactBody: unknown): Promise<Reply> {
  const key = isIdempotent(route.spec) ? readKey(request) : undefined;
  const { spec } = route;
  if (key === undefined) {
    const result = await execute(route, context, request);
    const reply = () => replyOf(check(spec, result), spec.produces);
    return spec.limits?.place === 'lists' ? inTurn(context, reply) : reply();
  }
  const headers = headersOfRequest(spec.headers, context);
  const surface = surfaceOf(spec);
  const keyed = { key, path: pathOf(spec, context), exactBody, headers, isSecret: spec.secret ?? false, surface };
  return withIdempotency(context, keyed, async (repeatable) => check(spec, await execute(route, repeatable, request)));
}

/** Runs one request through a route. Throws the error that is to be sent. The order of checks is that of `spec 1.2`. */
export async function handleRequest(deps: Deps, route: Route, request: Request, response: Response): Promise<void> {
  const { spec } = route;
  response.locals.guardsAccounts = spec.access.guardsAccounts;
  if (spec.secret) response.setHeader('Cache-Control', 'no-store');
  checkBodyHeaders(deps, request, spec);
  const ip = clientAddress(request);
  const disconnected = disconnectSignal(response);
  const receiver = createReceiver(deps, spec, { request, response, ip, disconnected });
  const execution = async (caller: Caller) => {
    const holder = holderOf(caller, ip);
    await limitRequest({ deps, caller, ip }, spec, request);
    try {
      const { context, exactBody, leaveThread } = await receiver.receive(caller);
      // Runs up to its first wait at once: what is made of the body, such as the request for the upstream, is in the same turn.
      const replying = inPlace(deps, spec, { response, holder, disconnected }, () =>
        replyTo(route, request, context, exactBody),
      );
      leaveThread();
      return { reply: await replying, holder };
    } finally {
      if (spec.makesCall && !hasDrawnCall(response)) countWithoutCall({ deps, caller, ip }, spec);
    }
  };
  const { reply, holder } = await runForCaller(deps, spec, request, (caller) =>
    withTeamLimits({ deps, caller }, spec, () => execution(caller)),
  )
    .finally(receiver.release)
    .catch(async (error: unknown) => {
      await receiver.countUnread();
      // Discards the rest of an unread body, which would be held in memory until the answer.
      if (!request.complete) request.resume();
      if (error instanceof Refusal && (error.status === 429 || countRefusedCredential(deps, ip, error)))
        await delayRefusal(holderOf(notedCaller(response), ip), response, disconnected);
      throw error;
    });
  if (reply.status === 429) await delayRefusal(holder, response, disconnected);
  await send(deps, reply, { response, holder, disconnected });
}

/** A request that waits for its answer. */
interface Pending {
  response: Response;
  holder: Holder;
  disconnected: AbortSignal;
}

/** Executes work in a place of its holder. A list counts until the client has read it, a stream of events until it ends. */
async function inPlace(
  { measures: { places } }: Deps,
  { limits: { place } = {} }: RouteSpec,
  { response, holder, disconnected }: Pending,
  work: () => Promise<Reply>,
): Promise<Reply> {
  if (!place) return work();
  if (place === 'eventStreams') {
    await holdUntilSent(places.eventStreams, holder, response, { signal: disconnected });
    return work();
  }
  if (place === 'jobCommands') {
    const isOutage = ({ status }: Reply) => status === 503;
    return runWithin([places.jobCommands], holder, work, { signal: disconnected, isOutage });
  }
  await holdUntilSent(places.lists, holder, response, { signal: disconnected });
  return work();
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
