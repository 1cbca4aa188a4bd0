import type { Database } from '../connection/database.ts';
import { deleteFirst } from '../sql/delete-in-batches.ts';
import { statement } from '../sql/statement.ts';

/** The stored reply to a request. `sealed`: encrypted by the service. */
export interface StoredReply {
  status: number;
  headers: Record<string, string>;
  sealed: Buffer;
}

/** Longer replies are read by a statement of their own: reading one takes milliseconds of the thread. */
const longReplyBytes = 65_536;

/** An operation under an Idempotency-Key. */
export interface IdempotentOperation {
  scope: Buffer;
  operation_id: string;
}

/**
 * `claimed`: this request executes the operation, and no other does while its lock is renewed. A request whose process died,
 * or that ended without an answer, is taken over with the same `operationId`. Its 24 hours begin anew then, so that `expiresAt`
 * distinguishes one holder from another.
 */
export type Claim =
  | { kind: 'claimed'; operationId: string; expiresAt: Date }
  /** `sealed` is absent where it is long: `readLongReply`. */
  | {
      kind: 'answered';
      operationId: string;
      reply: Omit<StoredReply, 'sealed'> & { sealed?: Buffer };
      sameRequest: boolean;
    }
  | { kind: 'running'; sameRequest: boolean };

/** A retry is the same request for 24 hours: `spec 10.9`. */
const storedFor = `interval '24 hours'`;
/** Three renewals may be late before the holder counts as dead. */
const lockedFor = `interval '5 seconds'`;
export const renewLockMs = 1_500;

interface Row {
  operation_id: string;
  expires_at: Date;
  claimed: boolean;
  same_request: boolean;
  status: number | null;
  headers: Record<string, string> | null;
  answer_sealed: Buffer | null;
}

const claimSql = statement(
  'claim_key',
  `with claimed as (
     insert into idempotency_keys as k (scope, request_hash, operation_id, locked_until, expires_at)
     values (:scope, :request_hash, :operation_id, now() + ${lockedFor}, now() + ${storedFor})
     on conflict (scope) do update
        set request_hash = case when k.expires_at <= now() then excluded.request_hash else k.request_hash end,
            locked_until = excluded.locked_until, expires_at = excluded.expires_at,
            operation_id = case when k.expires_at <= now() then excluded.operation_id else k.operation_id end,
            status = null, headers = null, answer_sealed = null
      where k.expires_at <= now()
         or (k.status is null and coalesce(k.locked_until, '-infinity') <= now()
             and k.request_hash = any (:request_hashes::bytea[]))
     returning operation_id, expires_at
   )
   select operation_id, expires_at, true as claimed, true as same_request, null::int as status, null::jsonb as headers,
          null::bytea as answer_sealed
     from claimed
   union all
   select operation_id, expires_at, false, request_hash = any (:request_hashes), status, headers,
          case when octet_length(answer_sealed) <= ${longReplyBytes} then answer_sealed end
     from idempotency_keys where scope = :scope and not exists (select from claimed)`,
);

/**
 * One round trip. `proposedId` becomes the operation's id when there is none under this scope. The first of `requestHashes` is that
 * of the request itself, the others are those of requests that it may repeat.
 */
export async function claimKey(
  database: Database,
  scope: Buffer,
  requestHashes: readonly Buffer[],
  proposedId: string,
): Promise<Claim> {
  const [row] = await database.query<Row>(claimSql, {
    scope,
    request_hash: requestHashes[0],
    operation_id: proposedId,
    request_hashes: requestHashes,
  });
  // No row: another request inserted it after this statement began.
  if (!row) return { kind: 'running', sameRequest: true };
  if (row.claimed) return { kind: 'claimed', operationId: row.operation_id, expiresAt: row.expires_at };
  const { status, headers, answer_sealed: sealed, same_request: sameRequest } = row;
  if (status === null || !headers) return { kind: 'running', sameRequest };
  const reply = { status, headers, ...(sealed && { sealed }) };
  return { kind: 'answered', operationId: row.operation_id, reply, sameRequest };
}

const longReplySql = statement(
  'read_long_reply',
  `select answer_sealed as sealed from idempotency_keys where scope = :scope and operation_id = :operation_id`,
);

/** The sealed content of a stored reply. Undefined: it has expired meanwhile. */
export async function readLongReply(database: Database, operation: IdempotentOperation): Promise<Buffer | undefined> {
  const [row] = await database.query<{ sealed: Buffer }>(longReplySql, { ...operation });
  return row?.sealed;
}

const renewSql = statement(
  'renew_key',
  `update idempotency_keys set locked_until = now() + ${lockedFor}
    where scope = :scope and operation_id = :operation_id and status is null`,
);
const storeSql = statement(
  'store_answer',
  `update idempotency_keys set status = :status, headers = :headers, answer_sealed = :sealed, locked_until = null
    where scope = :scope and operation_id = :operation_id and status is null`,
);
const unlockSql = statement(
  'unlock_key',
  `update idempotency_keys set locked_until = null
    where scope = :scope and operation_id = :operation_id and status is null`,
);
const deleteSql = statement(
  'delete_key',
  `delete from idempotency_keys
    where scope = :scope and operation_id = :operation_id and expires_at = :expires_at and status is null`,
);

export const renewLock = (database: Database, scope: Buffer, operationId: string) =>
  database.query(renewSql, { scope, operation_id: operationId });

/** The first reply stays: a holder that was considered dead and continues changes nothing. */
export const storeReply = (database: Database, scope: Buffer, operationId: string, reply: StoredReply) =>
  database.query(storeSql, { scope, operation_id: operationId, ...reply });

/** Lets the next request with this key execute the same operation. */
export const unlockKey = (database: Database, scope: Buffer, operationId: string) =>
  database.query(unlockSql, { scope, operation_id: operationId });

/** Nothing was done: the key is free for another request, unless a request that may do something has taken it over meanwhile. */
export const deleteKey = (database: Database, scope: Buffer, operationId: string, expiresAt: Date) =>
  database.query(deleteSql, { scope, operation_id: operationId, expires_at: expiresAt });

const deleteExpiredSql = statement(
  'delete_expired_keys',
  deleteFirst('idempotency_keys', 'scope', 'expires_at <= now() order by expires_at for update skip locked'),
);

/** Deletes expired rows, some at a time. Returns how many. It does not matter when: an expired row has no effect, deleted or not. */
export async function deleteExpiredKeys(database: Database, atMost: number): Promise<number> {
  return (await database.query(deleteExpiredSql, { at_most: atMost })).length;
}
