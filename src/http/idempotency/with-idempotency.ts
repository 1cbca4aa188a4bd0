import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { writeRepeatableEntry } from '../../db/audit/audit-entry.ts';
import {
  type Claim,
  claimKey,
  deleteKey,
  renewLock,
  renewLockMs,
  type StoredReply,
  storeReply,
  unlockKey,
} from '../../db/idempotency/idempotency-keys.ts';
import { KeyReused, OutcomeUnknown, refuse } from '../../errors.ts';
import type { Caller } from '../../services/caller.ts';
import type { Deps } from '../ports.ts';
import { type Reply, replyOf } from '../reply.ts';
import { errorReply } from '../respond-error.ts';
import type { RequestContext } from '../route.ts';
import type { Surface } from '../surface.ts';
import { idFrom, type KeyedRequest, requestHashes, scopeOf } from './idempotency-key.ts';
import { repeatedReply, toStoredReply } from './stored-reply.ts';

type Execute = (context: RequestContext) => Promise<unknown>;

/** How long a repeated request waits for the answer to the first, and how often it polls. `spec 10.5` */
const waitMs = 2_000;
const pollMs = 100;

/**
 * Executes a request once for its key, and sends every repetition the same reply. The ids of what it creates are derived from the
 * row of the key. If a process ends between the effect and its record, the next execution creates the same rows.
 */
export async function withIdempotency(context: RequestContext, keyed: KeyedRequest, execute: Execute): Promise<Reply> {
  const { deps, caller } = context;
  const scope = scopeOf(caller, keyed.path, keyed.key);
  const proposedId = randomUUID();
  const hashes = await requestHashes(context, keyed);
  const claim = await claimWithTimeout(() => claimKey(deps.database, scope, hashes, proposedId));
  if (claim.kind === 'answered') {
    if (keyed.isSecret && claim.reply.status === 200) await auditRepetition(context, keyed);
    return repeatedReply(context, { scope, operation_id: claim.operationId }, claim.reply);
  }
  const { operationId, expiresAt } = claim;
  const operation = { scope, operationId, expiresAt, isFirst: operationId === proposedId, surface: keyed.surface };
  const stopRenewing = renewLockUntilDone(deps, operation);
  try {
    const reply = await replyWithHeaders(context, operation, execute);
    const recorded = record(context, operation, reply);
    // The reply to an outage is not stored, and must not wait for the service that is unavailable.
    if (!isOutage(reply)) await recorded;
    return reply;
  } catch (error) {
    // A repetition executes the same operation and finds its outcome.
    if (error instanceof OutcomeUnknown) await unlockKey(deps.database, scope, operationId).catch(() => undefined);
    throw error;
  } finally {
    stopRenewing();
  }
}

/** A secret is shown once more. If that cannot be recorded, it is not shown. */
const auditRepetition = (context: RequestContext, { path }: KeyedRequest): Promise<void> =>
  context.deps.database.transaction((entities) =>
    writeRepeatableEntry(entities, context, { action: 'repeated_answer', resource_type: 'request', resource_id: path }),
  );

interface Operation {
  scope: Buffer;
  operationId: string;
  expiresAt: Date;
  isFirst: boolean;
  surface: Surface;
}

async function claimWithTimeout(claim: () => Promise<Claim>): Promise<Exclude<Claim, { kind: 'running' }>> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const claimed = await claim();
    if (claimed.kind === 'claimed') return claimed;
    if (!claimed.sameRequest) throw new KeyReused();
    if (claimed.kind === 'answered') return claimed;
    if (performance.now() >= deadline) throw refuse('request_in_progress');
    await pause(pollMs);
  }
}

/** If the lock cannot be renewed it is lost, and the operation may be executed twice at once, with the same ids. */
function renewLockUntilDone({ database }: Deps, { scope, operationId }: Operation): () => void {
  const timer = setInterval(() => renewLock(database, scope, operationId).catch(() => undefined), renewLockMs);
  return () => clearInterval(timer);
}

/** The reply with the headers that the handler set, without those of limits: a repetition is not limited. */
async function replyWithHeaders(
  context: RequestContext,
  { scope, operationId, surface }: Operation,
  execute: Execute,
): Promise<Reply> {
  const sentHeaders: Record<string, string> = {};
  const repeatable: RequestContext = {
    ...context,
    newId: idFrom(operationId),
    operation: { scope, operation_id: operationId },
    setHeader(name, value) {
      context.setHeader(name, value);
      if (!/^x-ratelimit/i.test(name)) sentHeaders[name] = value;
    },
  };
  const log = context.deps.log.child({ request_id: context.requestId });
  const reply = await execute(repeatable).then(
    (result) => replyOf(result),
    (error: unknown) => {
      if (error instanceof OutcomeUnknown) throw error;
      return errorReply(error, log, surface);
    },
  );
  const headers = { ...sentHeaders, ...reply.headers };
  const isStoredError = reply.code !== undefined && surface.isStored(reply);
  return { ...reply, headers: { ...headers, ...(isStoredError && surface.storedErrorHeaders) } };
}

/** A reply that cannot be stored is sent nevertheless: a repetition executes the same operation. */
const record = ({ deps, caller, requestId }: RequestContext, operation: Operation, reply: Reply): Promise<unknown> =>
  storeOrRelease(deps, caller, operation, reply).catch((error: unknown) =>
    deps.log.warn({ err: error, request_id: requestId }, 'idempotency: storing the reply failed'),
  );

const isOutage = ({ code }: Reply): boolean => code === 'unavailable';

/** Longer ones are those of calls, and of jobs with many calls. */
const shortAnswerBytes = 4_096;

/**
 * Whether the team may store this answer today, beside its other texts: the answers of a day are stored for a day. Above that, a
 * repetition executes the same operation and finds its outcome, as after a process has died. Short answers and refusals are always stored.
 */
const mayStore = ({ storedBytes }: Deps, caller: Caller, { status, sealed }: StoredReply): boolean =>
  caller.kind !== 'team' ||
  status !== 200 ||
  sealed.length <= shortAnswerBytes ||
  storedBytes.take(`answers of ${caller.teamId}`, sealed.length);

/**
 * Stores the reply, or releases the key: for the same operation if that may have had its effect, else for any. An operation that
 * another request has begun may have had its effect then, whatever its reply is now.
 */
async function storeOrRelease(deps: Deps, caller: Caller, operation: Operation, reply: Reply): Promise<unknown> {
  const { database } = deps;
  const { scope, operationId, expiresAt, isFirst } = operation;
  if (operation.surface.isStored(reply)) {
    const stored = toStoredReply(deps, scope, reply);
    return mayStore(deps, caller, stored)
      ? storeReply(database, scope, operationId, stored)
      : unlockKey(database, scope, operationId);
  }
  const mayHaveHadEffect = !isFirst || isOutage(reply);
  return mayHaveHadEffect
    ? unlockKey(database, scope, operationId)
    : deleteKey(database, scope, operationId, expiresAt);
}
