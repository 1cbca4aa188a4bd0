import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { callIsOpen, jobIsOpen } from '../sql/status.ts';
import { type Depths, depths } from './queue-depths.ts';
import { type WorkerRow, workerRows } from './worker-rows.ts';

export interface LiveTeamRow {
  team_id: string;
  team_alias: string | null;
  rpm_limit: number | null;
  tpm_limit: number | null;
  open_jobs: number;
  running_calls: number;
  queued_calls: number;
}

export interface LiveFigures extends Depths {
  tokens_last_minute: number;
  calls_per_minute: number;
  teams: LiveTeamRow[];
  teams_total: number;
  workers: WorkerRow[];
  now: Date;
}

/** Teams at most. */
const maxTeams = 100;

const sql = statement(
  'live_figures',
  `with open_jobs as (
     select team_id, count(*) as open_jobs from jobs where ${jobIsOpen()} group by team_id
   ), open_calls as (
     select team_id, count(*) filter (where status = 'running') as running_calls,
            count(*) filter (where status = 'queued') as queued_calls
       from calls where finished_at is null and ${callIsOpen()} group by team_id
   ), busy as materialized (
     select team_id, coalesce(open_jobs, 0) as open_jobs, coalesce(running_calls, 0) as running_calls,
            coalesce(queued_calls, 0) as queued_calls
       from open_jobs full join open_calls using (team_id)
   ), last_minute as (
     select count(*) as calls, coalesce(sum(total_tokens), 0) as tokens from calls where recorded_at > now() - interval '1 minute'
   )
   select ${depths}, last_minute.tokens::bigint as tokens_last_minute, last_minute.calls as calls_per_minute,
          (select coalesce(json_agg(shown), '[]')
             from (select busy.*, t.team_alias, t.rpm_limit, t.tpm_limit from busy join teams t using (team_id)
                    order by running_calls + queued_calls desc, open_jobs desc, team_id collate "C" limit ${maxTeams}) shown) as teams,
          (select count(*) from busy) as teams_total, ${workerRows} as workers, now() as now
     from last_minute`,
);

/** What runs now. Reads open jobs, unfinished calls and the calls of a minute. */
export async function readLive(database: Database): Promise<LiveFigures> {
  const [row] = await database.reports.query<LiveFigures>(sql);
  return row!;
}
