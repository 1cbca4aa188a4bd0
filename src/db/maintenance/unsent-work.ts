import type { JobEnd } from '../../domain/job-end.ts';
import type { Database } from '../connection/database.ts';
import { type JobStartRow, jobStartColumns } from '../jobs/job-start-row.ts';
import { readOldestTransaction } from '../sql/database-clock.ts';
import { statement } from '../sql/statement.ts';
import { type NextPage, toParameters } from './sweep-cursors.ts';

/** A process may die between the commit of a row and its signal to Temporal. Younger rows may still be signalled by their process. */
const signalWithinMs = 10_000;

export interface UnsentCall {
  call_id: string;
  model_group_used: string | null;
  purpose: string | null;
  /** The call of a single-call job. */
  is_single_call: boolean;
  end_job: JobEnd | null;
  turn_seconds: number | null;
  created_at: Date;
  job: JobStartRow;
}

const callsSql = statement(
  'unsent_calls',
  `select c.call_id, c.model_group_used, c.purpose, c.created_at, c.job_id, c.end_job, c.turn_seconds,
          c.position = (select min(earliest.position) from calls earliest where earliest.job_id = c.job_id) as is_first
     from calls c
    where (c.created_at, c.call_id) > (:after_created_at, :after_id) and c.created_at <= :until
      and c.status = 'queued' and c.finished_at is null
    order by c.created_at, c.call_id limit :limit`,
);

const startRowsSql = statement('job_start_rows', `select ${jobStartColumns} from jobs where job_id = any (:job_ids)`);

/** The times up to which a sweep reads and its cursor advances, by PostgreSQL's clock, like those of the records. */
export interface SweepBounds {
  /** A row that was recorded before this and is not sent will not be sent by the process that recorded it. */
  until: Date;
  /**
   * Every transaction that began before this has ended, so that no row with an earlier time can still appear. A long transaction
   * delays the cursor, but not the search.
   */
  cursorUntil: Date;
}

export async function readSweepBounds(database: Database): Promise<SweepBounds> {
  const { now, since } = await readOldestTransaction(database);
  const until = now.getTime() - signalWithinMs;
  // A row has the time at which its transaction began.
  return { until: new Date(until), cursorUntil: new Date(Math.min(until, since.getTime() - 1)) };
}

type QueuedCall = Omit<UnsentCall, 'job' | 'is_single_call'> & { job_id: string; is_first: boolean };

/** Calls that no worker has started. */
export async function listQueuedCalls(database: Database, page: NextPage): Promise<UnsentCall[]> {
  const calls = await database.query<QueuedCall>(callsSql, toParameters(page));
  const jobs = await database.query<JobStartRow>(startRowsSql, { job_ids: calls.map((call) => call.job_id) });
  const byId = new Map(jobs.map((job) => [job.job_id, job]));
  return calls.map(({ job_id, is_first, ...call }) => {
    const job = byId.get(job_id)!;
    return { ...call, job, is_single_call: is_first && job.single_call };
  });
}

const stillQueuedSql = statement(
  'queued_calls',
  `select call_id from calls where call_id = any (:call_ids) and status = 'queued'`,
);

/** Keeps those of the calls that no worker has started, and that have not ended. */
export async function filterQueued(database: Database, calls: readonly UnsentCall[]): Promise<UnsentCall[]> {
  const rows = await database.query<{ call_id: string }>(stillQueuedSql, {
    call_ids: calls.map((call) => call.call_id),
  });
  const queued = new Set(rows.map(({ call_id }) => call_id));
  return calls.filter(({ call_id }) => queued.has(call_id));
}
