import type { EndInRecord } from '../../domain/confirmed-end.ts';
import type { SettlementBasis } from '../../domain/settlement-basis.ts';
import type { Database } from '../connection/database.ts';
import { isPastCutoff } from '../sql/cutoff.ts';
import { statement } from '../sql/statement.ts';
import { basisColumns, factsOf } from './settlement-basis.ts';

// What the calls in the record say about the end of their job, for a table of jobs.

export const isCallOfSingleCallJob = (call: string, job: string): string =>
  `(${job}.single_call and ${call}.position = (select min(position) from calls where job_id = ${job}.job_id))`;

/** A call has succeeded that ends the job by its `end_job`. */
export const isEndedByCall = (job: string): string =>
  `exists (select from calls c
            where c.job_id = ${job}.job_id and c.status = 'succeeded'
              and (c.end_job = 'call' or c.end_job = 'answer' and not c.has_tool_calls))`;

/** The call that ended last succeeded, and its answer has no tool calls. */
export const isAnswered = (job: string): string =>
  `coalesce((select c.status = 'succeeded' and not c.has_tool_calls from calls c
              where c.job_id = ${job}.job_id and c.status in ('succeeded', 'failed')
              order by c.finished_at desc, c.position desc limit 1), false)`;

/** The seconds after which the turn of the job is over; null: it has no turn. The newest call decides that wants any. `spec 27.3` */
export const turnSeconds = (job: string): string =>
  `(select c.turn_seconds from calls c
     where c.job_id = ${job}.job_id and c.turn_seconds is not null and c.status in ('succeeded', 'failed')
     order by c.position desc limit 1)`;

const idleTime = 'make_interval(secs => :idle_seconds)';

/**
 * Each subquery reads the calls of the job, so this is for ends that only the record can confirm. A queued call counts as
 * open after the idle time: a younger one may be about to be refused, because it came when the job was ending.
 */
const sql = statement(
  'settlement_basis_and_end',
  `select ${basisColumns('j', 't')}, ${factsOf('j')} as facts, j.for_task,
          ${isEndedByCall('j')} or exists (select from calls c
                                            where c.job_id = j.job_id and c.status = 'succeeded'
                                              and ${isCallOfSingleCallJob('c', 'j')}) as ended_by_call,
          greatest(j.updated_at, j.started_at, latest.at) < now() - ${idleTime} as is_idle,
          latest.at <= now() - make_interval(secs => ${turnSeconds('j')}) as is_turn_over,
          ${isAnswered('j')} as is_answered,
          exists (select from calls c
                   where c.job_id = j.job_id
                     and (c.status = 'running' or c.status = 'queued' and c.created_at < now() - ${idleTime})) as has_open_calls,
          ${isPastCutoff('j.job_id')} as is_past_cutoff
     from jobs j join teams t on t.team_id = j.team_id
          cross join lateral (select max(greatest(c.created_at, c.finished_at)) as at from calls c
                               where c.job_id = j.job_id and c.status in ('queued', 'running', 'succeeded', 'failed')) latest
    where j.job_id = :job_id`,
);

/** What decides the charge of a job, and whether it may end without a command. `idleSeconds`: of a job of a task. */
export async function settlementBasisAndEnd(
  database: Database,
  jobId: string,
  idleSeconds: number,
): Promise<(SettlementBasis & EndInRecord) | undefined> {
  const [row] = await database.query<SettlementBasis & EndInRecord>(sql, { job_id: jobId, idle_seconds: idleSeconds });
  return row;
}
