import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';

/** The call itself comes first: a repetition of its request finds it in the job in which it was recorded. */
const sql = statement(
  'find_previous_job',
  `select j.job_id
     from calls c join jobs j on j.job_id = c.job_id
    where c.team_id = :team_id and not j.single_call
      and (c.call_id = :call_id
           or c.call_id = :previous_call_id and ${jobIsOpen('j.status')} and not j.closing
              and not exists (select from calls own where own.call_id = :call_id))
    limit 1`,
);

/** The open job of the previous call that takes another one; undefined: there is none, or it is a single-call job. `spec 27.6` */
export async function findPreviousJob(
  database: Database,
  { callId, previousCallId, teamId }: { callId: string; previousCallId: string; teamId: string },
): Promise<string | undefined> {
  const values = { call_id: callId, previous_call_id: previousCallId, team_id: teamId };
  const [job] = await database.query<{ job_id: string }>(sql, values);
  return job?.job_id;
}
