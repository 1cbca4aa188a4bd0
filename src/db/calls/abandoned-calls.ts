import type { Database } from '../connection/database.ts';
import { keyValues, type PresentedKey, unchangedKey } from '../keys/find-team-by-key.ts';
import { deleteFirst } from '../sql/delete-in-batches.ts';
import { statement } from '../sql/statement.ts';

/** A request that repeats a call this long after it was made receives its answer. `spec 18.7` */
const adoptableFor = `interval '15 minutes'`;

const insertSql = statement(
  'insert_abandoned_call',
  `insert into abandoned_calls (call_id, fingerprint) values (:call_id, :fingerprint) on conflict (call_id) do nothing`,
);

/** The client of a call has left before its answer. A call that was adopted stays adopted. */
export const insertAbandonedCall = async (database: Database, call_id: string, fingerprint: Buffer): Promise<void> => {
  await database.query(insertSql, { call_id, fingerprint });
};

export interface Adoption {
  /** False: the caller's key has changed; then nothing was adopted. */
  key_unchanged: boolean;
  /** Null: there is nothing to adopt. */
  call_id: string | null;
  job_id: string | null;
  extra_fields: string[] | null;
}

const adoptSql = statement(
  'adopt_call',
  `with ${unchangedKey}, adoptable as (
     select a.call_id
       from abandoned_calls a join calls c on c.call_id = a.call_id
      where a.fingerprint = :fingerprint and not a.adopted and c.team_id = :team_id
        and c.created_at > now() - ${adoptableFor} and c.status not in ('refused', 'retracted')
        and exists (select from unchanged_key)
      order by a.abandoned_at, a.call_id limit 1 for update of a skip locked
   ), adopted as (
     update abandoned_calls a set adopted = true from adoptable where a.call_id = adoptable.call_id returning a.call_id
   )
   select exists (select from unchanged_key) as key_unchanged, c.call_id, c.job_id, p.extra_fields
     from (select 1) one
     left join adopted on true
     left join calls c on c.call_id = adopted.call_id
     left join call_payloads p on p.call_id = adopted.call_id`,
);

/** Takes the oldest abandoned call of the same request. The row lock gives each to one request, however many come at once. */
export async function adoptAbandonedCall(
  database: Database,
  team_id: string,
  key: PresentedKey,
  fingerprint: Buffer,
): Promise<Adoption> {
  const [adoption] = await database.query<Adoption>(adoptSql, { team_id, fingerprint, ...keyValues(key) });
  return adoption!;
}

const deleteSql = statement(
  'delete_abandoned_calls',
  deleteFirst('abandoned_calls', 'call_id', `abandoned_at < now() - ${adoptableFor} order by abandoned_at`),
);

/** Deletes up to `atMost` that can no longer be adopted. Returns how many. */
export const deleteAbandonedCalls = async (database: Database, atMost: number): Promise<number> =>
  (await database.query(deleteSql, { at_most: atMost })).length;
