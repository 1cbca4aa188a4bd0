import type { IdempotentOperation } from '../idempotency/idempotency-keys.ts';

/** A row to retract by its id. `operation`: that of its request, if it has an Idempotency-Key. */
export interface Retracting {
  id: string;
  operation: IdempotentOperation | undefined;
}

/** `started`: it is more than recorded, and stays. `missing`: it is not recorded yet, or not any more. */
export type Retraction = 'retracted' | 'started' | 'missing';

/** Whether no other request that repeats the operation holds the key now: such a request answers for the row itself. */
const notHeld = `k.status is null and coalesce(k.locked_until, '-infinity') <= now()`;

/**
 * The CTE `requested`, and of it `retractable`: what has no key, or one that this statement may delete. A key is locked before its
 * row is retracted, and deleted with it: so that repeating the request makes a new one, and a key whose row stays does so too.
 */
export const retracting = (isOwn: boolean): string => `
  requested as (
    select * from unnest(:ids::uuid[], :scopes::bytea[], :operation_ids::uuid[]) as requested (id, scope, operation_id)
  ), keys as (
    select q.id from idempotency_keys k join requested q on k.scope = q.scope and k.operation_id = q.operation_id
     where ${isOwn ? 'true' : notHeld} for update of k
  ), retractable as (
    select * from requested q
     where q.scope is null or exists (select from keys where keys.id = q.id)
        or not exists (select from idempotency_keys k where k.scope = q.scope and k.operation_id = q.operation_id)
  )`;

export const retractingValues = (all: readonly Retracting[]) => ({
  ids: all.map(({ id }) => id),
  scopes: all.map(({ operation }) => operation?.scope ?? null),
  operation_ids: all.map(({ operation }) => operation?.operation_id ?? null),
});
