import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { z } from 'zod';
import { findPrecedingKeys } from '../../db/keys/find-preceding-keys.ts';
import { headersOfAgent } from '../../domain/agent.ts';
import { canonicalNumber, isRawNumber } from '../../domain/formats/exact-json.ts';
import { headersOfTask } from '../../domain/task-id.ts';
import { refuse } from '../../errors.ts';
import { type Caller, credentialOf } from '../../services/caller.ts';
import type { EventForm, RequestContext, RouteSpec } from '../route.ts';
import type { Surface } from '../surface.ts';
import { validate } from '../validation/validate.ts';

/** Whether a request makes a call for which no answer is stored: the statement that makes it verifies its key. */
export const isNewCall = ({ makesCall = false }: Pick<RouteSpec, 'makesCall'>, { headers }: Request): boolean =>
  makesCall && headers['idempotency-key'] === undefined;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sorted = (members: object): object =>
  Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The same text for two bodies of equal content, whatever their order and spaces. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value ?? null, (_key, inner: unknown) => {
    if (isRawNumber(inner)) return canonicalNumber(inner);
    return isObject(inner) ? sorted(inner) : inner;
  });

/**
 * The headers of a route that are a part of its request, as its body is, and those that name the task of a call, also for an agent. By
 * their names in lower case.
 */
export function headersOfRequest(
  headers: z.ZodObject | undefined,
  { caller, sentHeaders }: RequestContext,
): Record<string, string> {
  if (!headers) return {};
  const names = [
    ...Object.keys(headers.shape),
    ...(caller.kind === 'team' ? headersOfTask(caller.settings.job_key_from) : []),
    ...headersOfAgent(sentHeaders),
  ];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = sentHeaders[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

export const IdempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x21-\x7e]*$/);

const Headers = z.object({ 'idempotency-key': IdempotencyKey.optional() });

/** `spec 10.1` */
export const isIdempotent = ({ method, idempotent = method === 'post' }: RouteSpec): boolean => idempotent;

/** The request's key; undefined when it has none. Two keys arrive as a list, and are refused. */
export function readKey(request: Request): string | undefined {
  const given = request.headersDistinct['idempotency-key'];
  return validate(Headers, 'header', { 'idempotency-key': given?.length === 1 ? given[0] : given })['idempotency-key'];
}

const digest = (...parts: string[]) => createHash('sha256').update(parts.join('\n')).digest();

/** The same for equal requests with one virtual key. `text`: the large part of the body, as it goes on. */
export const computeFingerprint = (
  keyHash: Buffer,
  text: string,
  rest: unknown,
  headers: Readonly<Record<string, string>>,
): Buffer => digest(text, canonicalJson([rest, sorted(headers)]), keyHash.toString('hex'));

/** The request that a key names. */
export interface KeyedRequest {
  key: string;
  path: string;
  /** The body before validation: another version may validate it otherwise. */
  exactBody: unknown;
  /** The answer holds a secret. */
  isSecret: boolean;
  /** The headers that are a part of the request, by their names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The form of an error, and which replies are stored. */
  surface: Surface;
  /** The form of a stream, where the route has any. */
  streams?: EventForm | undefined;
}

/** The scope of a key is its credential and path. None of the three can contain a line break. */
export const hashScope = (caller: Caller, path: string, key: string): Buffer => digest(credentialOf(caller), path, key);

/**
 * What a request has in common with its repetitions: the body, and some headers of some routes. The first hash is that of the
 * request, any others are those of requests that it may repeat. An answer with a secret of a team is repeated to the same virtual
 * key and to the current one, but not to a predecessor of the key that it was sent to.
 */
export async function requestHashes(
  { deps, caller }: RequestContext,
  { exactBody, isSecret, headers }: KeyedRequest,
): Promise<Buffer[]> {
  const body = canonicalJson(Object.keys(headers).length > 0 ? [exactBody, headers] : exactBody);
  if (!isSecret || caller.kind !== 'team') return [digest(body)];
  const keys = await findPrecedingKeys(deps.database, caller.key.hashes);
  // Its row is deleted only long after the key has ended.
  if (keys.length === 0) throw refuse('key_invalid');
  const { secrets } = deps;
  return keys
    .flatMap(({ team_id, key_sealed }) => secrets.lookupHashes(secrets.open(key_sealed, team_id)))
    .map((hash) => digest(body, hash.toString('hex')));
}
