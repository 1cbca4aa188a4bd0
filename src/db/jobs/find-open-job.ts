import type { JobEnd } from '../../domain/job-end.ts';
import type { SingleCallEnd } from '../../domain/job-state.ts';
import type { Database } from '../connection/database.ts';
import { cutoffOf } from '../sql/cutoff.ts';
import { statement } from '../sql/statement.ts';
import { callIsOpen, isStoppedUnshown, jobIsOpen } from '../sql/status.ts';
import { isAnswered, isCallOfSingleCallJob, isEndedByCall, turnSeconds } from './end-in-record.ts';
import { type JobStartRow, jobStartColumns } from './job-start-row.ts';

/** A call that has not ended. */
export interface OpenCall {
  call_id: string;
  model_group_used: string | null;
  purpose: string | null;
  end_job: JobEnd | null;
  turn_seconds: number | null;
  /** The call of a single-call job. */
  is_single_call: boolean;
}

/** Everything in the record that a new workflow of an open job needs. */
export interface OpenJob extends JobStartRow {
  /** The last call or update. */
  last_activity_at: Date;
  /** The calls in the order in which they were made. */
  open_calls: OpenCall[];
  /** Null: the job is no single-call job, or its call has not ended. */
  single_call_end: SingleCallEnd | null;
  /** A call has succeeded that ends the job by its `end_job`. */
  ended_by_call: boolean;
  /** The call that ended last succeeded, and its answer has no tool calls. */
  is_answered: boolean;
  /** The seconds after which its turn is over; null: it has no turn. */
  turn_seconds: number | null;
}

/**
 * A younger call that is queued is about to be signalled by the process that recorded it, or is sent by maintenance, which first
 * waits for retractions (`activities/maintenance/resend-unsent.ts`).
 */
const sentWithin = "interval '10 seconds'";

const sql = statement(
  'find_open_job',
  `select ${jobStartColumns},
          greatest(updated_at, started_at,
                   (select max(greatest(c.created_at, c.finished_at)) from calls c where c.job_id = j.job_id)) as last_activity_at,
          (select coalesce(json_agg(json_build_object('call_id', c.call_id, 'model_group_used', c.model_group_used, 'purpose', c.purpose, 'end_job', c.end_job, 'turn_seconds', c.turn_seconds,
                                                      'is_single_call', ${isCallOfSingleCallJob('c', 'j')}) order by c.position), '[]')
             from calls c
            where c.job_id = j.job_id and ${callIsOpen('c.status')}
              and (c.status <> 'queued' or c.created_at < now() - ${sentWithin})) as open_calls,
          (select json_build_object('error', case c.status when 'succeeded' then null else coalesce(c.error, c.status) end,
                                   'is_unshown', ${isStoppedUnshown('c')})
             from calls c
            where c.job_id = j.job_id and ${isCallOfSingleCallJob('c', 'j')} and c.finished_at is not null) as single_call_end,
          ${isEndedByCall('j')} as ended_by_call,
          ${isAnswered('j')} as is_answered,
          ${turnSeconds('j')} as turn_seconds,
          (select ${cutoffOf('b')} from job_budgets b where b.job_id = j.job_id) as cutoff_at
     from jobs j where job_id = :job_id and ${jobIsOpen('j.status')}`,
);

/** Undefined: the job has ended, or there is none. */
export async function findOpenJob(database: Database, jobId: string): Promise<OpenJob | undefined> {
  const [job] = await database.query<OpenJob>(sql, { job_id: jobId });
  return job;
}
