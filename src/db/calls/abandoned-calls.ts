import type { Database } from '../connection/database.ts';
import type { JobBudgetView } from '../jobs/job-budget.ts';
import { budgetOfJob } from '../jobs/new-job-terms.ts';
import { keyValues, type PresentedKey, unchangedKey } from '../keys/find-team-by-key.ts';
import { deleteFirst } from '../sql/delete-in-batches.ts';
import { statement } from '../sql/statement.ts';

/** A repetition receives the answer of a call that was made at most this long ago. `spec 18.7` */
const adoptableFor = `interval '15 minutes'`;

/** A client repeats a request within this time after it has lost its connection. The clients of OpenAI wait for up to 8 s. */
const repeatedWithin = `interval '30 seconds'`;

const insertSql = statement(
  'insert_abandoned_call',
  `insert into abandoned_calls (call_id) values (:call_id)
   on conflict (call_id) do update set adopted = false, abandoned_at = now()`,
);

/** The client of a call has left before its answer: the one that made it, or one that adopted it. */
export const insertAbandonedCall = async (database: Database, call_id: string): Promise<void> => {
  await database.query(insertSql, { call_id });
};

export interface Adoption {
  /** False: the caller's key has changed; then nothing was adopted. */
  key_unchanged: boolean;
  /** Null: there is nothing to adopt. */
  call_id: string | null;
  job_id: string | null;
  single_call: boolean | null;
  extra_fields: string[] | null;
  blocked_fields: string[] | null;
  budget: JobBudgetView | null;
}

/**
 * No process recorded that the client left, because the process that waited for the call is gone. It may have answered before, so
 * only calls count that run or ended within 30 s.
 */
const lostItsProcess = `
  (c.finished_at is null or c.finished_at > now() - ${repeatedWithin})
  and not exists (select from pg_stat_activity s where s.datname = current_database() and s.application_name = p.awaited_by)`;

const adoptSql = statement(
  'adopt_call',
  `with ${unchangedKey}, adoptable as (
     select p.call_id
       from call_payloads p
       join calls c on c.call_id = p.call_id
       left join abandoned_calls a on a.call_id = p.call_id
      where p.fingerprint = any (:fingerprints::bytea[]) and c.team_id = :team_id
        and c.created_at > now() - ${adoptableFor} and c.status <> 'refused'
        and case when a.call_id is null then ${lostItsProcess} else not a.adopted end
        and exists (select from unchanged_key)
      order by a.abandoned_at nulls last, c.created_at desc, c.call_id limit 1
   ), adopted as (
     insert into abandoned_calls as a (call_id, adopted) select call_id, true from adoptable
     on conflict (call_id) do update set adopted = true where not a.adopted
     returning call_id
   )
   select exists (select from unchanged_key) as key_unchanged, exists (select from adoptable) as found,
          c.call_id, c.job_id, (select j.single_call from jobs j where j.job_id = c.job_id) as single_call, p.extra_fields, p.blocked_fields, ${budgetOfJob('c.job_id')} as budget
     from (select 1) one
     left join adopted on true
     left join calls c on c.call_id = adopted.call_id
     left join call_payloads p on p.call_id = adopted.call_id`,
);

/** Each reading after the first one is without a call that another request has adopted meanwhile. */
const maxReadings = 10;

/**
 * Takes a call of the same request whose client has left: the oldest that was abandoned, else the newest whose process is gone. The
 * row in `abandoned_calls` gives each to one request, however many come at once. `fingerprints`: under each key of the service.
 */
export async function adoptAbandonedCall(
  database: Database,
  team_id: string,
  key: PresentedKey,
  fingerprints: readonly Buffer[],
): Promise<Adoption> {
  const values = { team_id, fingerprints, ...keyValues(key) };
  for (let reading = 1; ; reading += 1) {
    const [row] = await database.query<Adoption & { found: boolean }>(adoptSql, values);
    const { found, ...adoption } = row!;
    if (!found || adoption.call_id || reading === maxReadings) return adoption;
  }
}

const deleteSql = statement(
  'delete_abandoned_calls',
  deleteFirst('abandoned_calls', 'call_id', `abandoned_at < now() - ${adoptableFor} order by abandoned_at`),
);

/** Deletes up to `atMost` that can no longer be adopted. Returns how many. */
export const deleteAbandonedCalls = async (database: Database, atMost: number): Promise<number> =>
  (await database.query(deleteSql, { at_most: atMost })).length;
