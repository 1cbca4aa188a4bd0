import { setTimeout as pause } from 'node:timers/promises';
import { writeRepeatableEntry } from '../../db/audit/write-audit-entry.ts';
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
import { keyReused, refuse } from '../../errors.ts';
import { requestFields } from '../../log.ts';
import type { Caller } from '../../services/caller.ts';
import { idFrom } from '../../services/derive-id.ts';
import type { Deps } from '../ports.ts';
import type { Reply } from '../reply.ts';
import { errorReply } from '../respond-error.ts';
import type { RequestContext } from '../route.ts';
import type { Surface } from '../surface.ts';
import { hashScope, type KeyedRequest, requestHashes } from './idempotency-key.ts';
import { repeatedReply, toStoredReply } from './stored-reply.ts';

/** How long a repeated request waits for the answer to the first, and how often it polls. `spec 10.5` */
const waitMs = 2_000;
const pollMs = 100;

/**
 * The operation of an Idempotency-Key, which this request executes. The ids of what it creates are derived from the row of the key: if
 * a process ends between the effect and its record, the next execution creates the same rows.
 */
export interface KeyedOperation {
  scope: Buffer;
  operationId: string;
  expiresAt: Date;
  /** No request before has executed it. */
  isFirst: boolean;
  surface: Surface;
  /** Headers of the reply, without those of limits: a repetition is not limited. */
  sentHeaders: Record<string, string>;
  /** Ends the renewal of the lock of the key. */
  stopRenewing(): void;
}

/** Claims the key, so that this request executes its operation, or returns the stored reply to the request that did so before. */
export async function claimOperation(
  context: RequestContext,
  keyed: KeyedRequest,
): Promise<{ reply: Reply } | { operation: KeyedOperation }> {
  const { deps, caller, ownId: proposedId } = context;
  const { surface } = keyed;
  const scope = hashScope(caller, keyed.path, keyed.key);
  const hashes = await requestHashes(context, keyed);
  const claim = await claimWithTimeout(() => claimKey(deps.database, scope, hashes, proposedId));
  if (claim.kind === 'answered') {
    if (keyed.isSecret && claim.reply.status === 200) await auditRepetition(context, keyed);
    const operation = { scope, operation_id: claim.operationId };
    return { reply: await repeatedReply(context, operation, claim.reply, keyed.streams) };
  }
  const { operationId, expiresAt } = claim;
  const stopRenewing = keepLocked(deps, scope, operationId);
  const isFirst = operationId === proposedId;
  return { operation: { scope, operationId, expiresAt, isFirst, surface, sentHeaders: {}, stopRenewing } };
}

/** The context of the operation: equal ids for equal names, and the headers of its reply recorded. */
export const repeatableContext = (
  context: RequestContext,
  { scope, operationId, sentHeaders }: KeyedOperation,
): RequestContext => ({
  ...context,
  newId: idFrom(operationId),
  operation: { scope, operation_id: operationId },
  setHeader(name, value) {
    context.setHeader(name, value);
    if (!/^x-ratelimit/i.test(name)) sentHeaders[name] = value;
  },
});

/** A refusal is an outcome too, which repetitions get. */
export function keyedRefusal(context: RequestContext, { surface }: KeyedOperation, error: unknown): Reply {
  const log = context.deps.log.child(requestFields(context));
  const reply = errorReply(error, log, surface, context.requestId);
  return surface.isStored(reply) ? { ...reply, headers: { ...reply.headers, ...surface.storedErrorHeaders } } : reply;
}

/** The outcome is not known yet: a repetition executes the same operation and finds it. */
export async function abandonOperation({ database }: Deps, { scope, operationId }: KeyedOperation): Promise<void> {
  await unlockKey(database, scope, operationId).catch(() => undefined);
}

/**
 * Records the reply for repetitions. A reply that cannot be stored is sent nevertheless: a repetition executes the same operation.
 * That to an outage is not stored, and must not wait for the service that is unavailable.
 */
export async function recordReply(context: RequestContext, operation: KeyedOperation, reply: Reply): Promise<void> {
  const { deps, caller } = context;
  const recorded = storeOrRelease(deps, caller, operation, reply).catch((error: unknown) =>
    deps.log.warn({ err: error, ...requestFields(context) }, 'idempotency: storing the reply failed'),
  );
  if (!isOutage(reply)) await recorded;
}

/** A secret is shown once more. If that cannot be recorded, it is not shown. */
const auditRepetition = (context: RequestContext, { path }: KeyedRequest): Promise<void> =>
  context.deps.database.transaction((entities) =>
    writeRepeatableEntry(entities, context, { action: 'repeated_answer', resource_type: 'request', resource_id: path }),
  );

async function claimWithTimeout(claim: () => Promise<Claim>): Promise<Exclude<Claim, { kind: 'running' }>> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const claimed = await claim();
    if (claimed.kind === 'claimed') return claimed;
    if (!claimed.sameRequest) throw keyReused();
    if (claimed.kind === 'answered') return claimed;
    if (performance.now() >= deadline) throw refuse('request_in_progress');
    await pause(pollMs);
  }
}

/** If the lock cannot be renewed it is lost, and the operation may be executed twice at once, with the same ids. */
function keepLocked({ database }: Deps, scope: Buffer, operationId: string): () => void {
  const timer = setInterval(() => renewLock(database, scope, operationId).catch(() => undefined), renewLockMs);
  return () => clearInterval(timer);
}

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
async function storeOrRelease(deps: Deps, caller: Caller, operation: KeyedOperation, reply: Reply): Promise<unknown> {
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
