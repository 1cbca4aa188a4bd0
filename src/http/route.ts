import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { StreamOutput } from '../calls/frame-reorder.ts';
import type { Config } from '../config.ts';
import type { SentMembers } from '../domain/formats/sent-json.ts';
import type { RefusalCode } from '../errors.ts';
import type { Caller } from '../services/caller.ts';
import type { ServiceContext } from '../services/context.ts';
import type { SentTo, SessionCookie, SignInCookie } from './auth/session-cookie.ts';
import type { CsvForm } from './csv/csv-form.ts';
import type { Deps } from './ports.ts';
import type { Accepted, JsonText, noContent, Redirect } from './reply.ts';
import type { EventStream, StreamRecord } from './stream/event-stream.ts';
import type { Surface } from './surface.ts';

/** Who may use a route. An empty list is everybody. `spec 2.1` */
export type Audience =
  /** the virtual key of a team */
  | 'team'
  /** the platform key, or an admin user of role owner or admin */
  | 'admin'
  /** an admin user of role owner or admin, with a session: the platform key is not enough */
  | 'admin_user'
  /** any admin user with a session */
  | 'user';

/** The bounds of a body beside `spec 1.5`, and how it is read. */
export interface BodyForm {
  /** The bytes that a body may have, also unpacked. */
  limit(config: Config): number;
  /** Brackets that may be open at once. */
  depth: number;
  /** Keys and values, all together. */
  values: number;
  /**
   * Every key and every character is taken, because it is only forwarded. Half a surrogate pair, which no upstream can read, is
   * replaced by U+FFFD. What is stored is checked by the schema. A field that is null is absent: `spec 17.8`.
   */
  isForwarded: boolean;
}

/** The events of a stream. */
export interface EventForm {
  /** One event's JSON. */
  event: z.ZodType;
  /** The data of the events of a whole stream, which ends with `[DONE]`; or one text, of a stream whose events have names. */
  example: readonly string[] | string;
  /** A request without it is answered with JSON. */
  isOptional: boolean;
  /** The answer of a call in this form. A repeated request gets it again, from its record. Absent: it gets a new stream. */
  toStream?(record: StreamRecord, outputs: AsyncIterable<StreamOutput>): EventStream;
}

/** Who may use a route, and with which credential. */
export interface Access {
  audience: readonly Audience[];
  /** The setting that protects this route besides; for a value of `master-key` the request has to carry `X-Admin-Key`. */
  protectedBy?: 'SETUP';
  /**
   * Which of these callers may use it, where that depends on the owner of what the path names; false is a 403, before anything
   * is validated.
   */
  mayUse?: (caller: Caller, path: Record<string, unknown>) => boolean;
  /** A team's session by cookie may use it although it is no GET: it cancels jobs, stops calls and manages webhooks. `spec 19.4` */
  openToTeamSessions?: boolean;
  /** Passwords are given here, or the first owner is made: many refusals are an attack, so each is logged as a warning. */
  guardsAccounts?: boolean;
}

/** The body of a request. */
export interface BodyOf<Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  /** An absent body is read as `{}`: all its fields are optional. */
  isOptional?: boolean;
  /** Which bodies are read. Default: as for every route, or with `makesCall` for every call. */
  form?: BodyForm;
}

export type Place = 'lists' | 'workflowCommands' | 'eventStreams' | 'callReads';

/** The limits of a route beside those of every request. */
export interface RouteLimits {
  /**
   * `management`: counts against the reads or writes that the caller's credential has a minute. `spec 9.1`
   * `frequent`: is not counted with the requests that a credential or network has a minute, but apart, up to ten times as many: probes
   * and models. Calls are limited where their tokens are estimated.
   */
  rate?: 'management' | 'frequent';
  /** The places of its holder of which a request takes one until it is answered. */
  place?: Place;
  /** The places for a request with this parameter in its query, instead of `place`. */
  placeWith?: { parameter: string; place: Place };
}

/**
 * A route is one object: its input, who may use it, its answer and its refusals. Authentication, limits, validation and the
 * documentation are derived from it, so that they agree.
 */
export interface RouteSpec<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  ResponseBody extends z.ZodType = z.ZodType,
  Headers extends z.ZodObject = z.ZodObject,
> {
  /** A verb and what it acts on, as people say it: generated clients name their functions by it. It is never renamed. */
  operationId: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** The path as in OpenAPI: `/api/jobs/{job_id}`. The last parameter may contain slashes if it is `{+name}`, as in RFC 6570. */
  path: string;
  /**
   * Only for requests with this header, in lower case; others are for another route with this path and method. The document of the
   * interface describes that one.
   */
  withHeader?: string;
  summary: string;
  description?: string;
  tag: string;
  /** The form of its errors, and its part of the documentation. Default: `api/surface.ts`. */
  surface?: Surface;
  access: Access;
  params?: Params;
  query?: Query;
  body?: BodyOf<Body>;
  /** Headers of this route, by their names in lower case. With an Idempotency-Key they are a part of the request, as its body is. */
  headers?: Headers;
  response: ResponseBody;
  /** What is answered with 202 where the request prefers that: `spec 26.1`. */
  accepted?: z.ZodType;
  /** When it is answered with 204. */
  empty?: string;
  /** Headers that its answers have besides those of its kind: names in `openapi/fixed-components.ts`. */
  responseHeaders?: readonly string[];
  /** 200 is `text/event-stream`, in any case or where the request wants it. */
  streams?: EventForm;
  /** The list as a file, for `format=csv`: the query has `csvFormat`. */
  csv?: CsvForm<z.output<ResponseBody>>;
  /** The content type of an answer that is text and not JSON. */
  produces?: string;
  errors?: readonly RefusalCode[];
  /** False: it is answered without PostgreSQL, as a probe is. Default: true. */
  needsDatabase?: boolean;
  /** Accepts an Idempotency-Key. Default: every POST. `spec 10.1` */
  idempotent?: boolean;
  limits?: RouteLimits;
  /**
   * An LLM call: up to 10 MiB of body instead of 1 MiB, the ids of job and call in the headers, and a statement of its own that
   * verifies the caller's key.
   */
  makesCall?: boolean;
  /** The answer shows a key: it is never cached. */
  secret?: boolean;
}

/** The context of a handler: that of a use case, with what the request has brought and the means to answer it. */
export interface RequestContext<Params = unknown, Query = unknown, Body = unknown, Headers = unknown>
  extends ServiceContext {
  deps: Deps;
  params: Params;
  query: Query;
  body: Body;
  headers: Headers;
  /** What the schemas of body and query leave out of the request, as texts for a header. */
  ignoredFields: readonly string[];
  /** The id that the service has made for the request. What the request creates has ids that are derived from it. */
  ownId: string;
  /** All headers of the request, by their names in lower case. */
  sentHeaders: IncomingHttpHeaders;
  /** The members of the body as they were sent, for what goes on as it is. */
  sentMembers(): SentMembers;
  /** The body is stored: its large members are deleted, and it does not count against the bytes of its holder any more. */
  dropBody(): void;
  /** Sets a header of the answer, also if the answer becomes a refusal. */
  setHeader(name: string, value: string): void;
  /** Adds a `Set-Cookie` to the answer, also if the answer becomes a refusal. */
  addCookie(value: string): void;
  /** The session cookie for the browser that sent the request. */
  sessionCookie(): SessionCookie;
  /** The cookie of a sign-in that goes on elsewhere, for the same browser. */
  signInCookie(): SignInCookie;
  /** The address of the service as the browser knows it, and the query of the request as it was sent. */
  sentTo(): SentTo;
}

/** Who may use a route. */
export type RouteAccess = Pick<RouteSpec, 'access' | 'method' | 'streams' | 'makesCall'>;

export interface Route {
  spec: RouteSpec;
  handle: (context: RequestContext) => Promise<unknown>;
}

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

/** `export const cancelJob = route({…spec}, async ({ deps, caller, params, body }) => …)`; the handler returns the answer. */
export const route = <
  ResponseBody extends z.ZodType,
  Params extends z.ZodObject = never,
  Query extends z.ZodObject = never,
  Body extends z.ZodType = never,
  Headers extends z.ZodObject = never,
>(
  spec: RouteSpec<Params, Query, Body, ResponseBody, Headers>,
  handle: (
    context: RequestContext<Parsed<Params>, Parsed<Query>, Parsed<Body>, Parsed<Headers>>,
  ) => Promise<z.input<ResponseBody> | EventStream | Accepted | JsonText | Redirect | typeof noContent>,
): Route => ({ spec, handle: handle as Route['handle'] });
