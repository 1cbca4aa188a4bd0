import type { RecordedState } from '../../domain/disagreement.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';

const stateBy = (isOpen: string, endedAt: string): string =>
  `case when ${isOpen} then 'open'
        when ${endedAt} > now() - make_interval(secs => :ended_for_seconds::numeric) then 'ending' else 'ended' end`;

const sql = {
  job: statement(
    'recorded_jobs',
    `select job_id as id, ${stateBy(jobIsOpen(), 'completed_at')} as state from jobs where job_id = any (:ids)`,
  ),
  delivery: statement(
    'recorded_deliveries',
    `select delivery_id as id, ${stateBy("status = 'pending'", 'finished_at')} as state
       from webhook_deliveries where delivery_id = any (:ids)`,
  ),
};

/** How the record has these jobs, or deliveries. Ends of the last `ended_for_seconds` are `ending`; an id that is not in the result is absent. */
export async function readRecordedStates(
  database: Database,
  kind: keyof typeof sql,
  ids: readonly string[],
  ended_for_seconds: number,
): Promise<Map<string, RecordedState>> {
  if (ids.length === 0) return new Map();
  const rows = await database.query<{ id: string; state: RecordedState }>(sql[kind], { ids, ended_for_seconds });
  return new Map(rows.map(({ id, state }) => [id, state]));
}
