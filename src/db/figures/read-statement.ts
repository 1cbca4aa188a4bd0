import type { Month } from '../../domain/time/month.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';
import { inMonth } from './read-team-usage.ts';

interface StatementJobs {
  jobs: number;
  completed: number;
  failed: number;
  cancelled: number;
  open: number;
  charged_jobs: number;
  credits_charged: number;
}

interface StatementFigures {
  opening_balance: number;
  allocated: number;
  deducted: number;
  refunded: number;
  adjusted: number;
  closing_balance: number;
  all_jobs: StatementJobs;
  job_types: (StatementJobs & { job_type: string })[];
  now: Date;
}

/** The balance after the last row of the ledger before a time; 0 before the first one. */
const balanceAt = (time: string) => `
  coalesce((select credits_after from credit_transactions where team_id = :team_id and created_at < ${time}
             order by created_at desc, position desc limit 1), 0)`;

const columns = ['jobs', 'completed', 'failed', 'cancelled', 'open', 'charged_jobs', 'credits_charged'];
const sums = columns.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(', ');

/** One statement, so that all figures are of one moment. */
const sql = statement(
  'read_statement',
  `with created as (
     select job_type, completed_jobs + failed_jobs + cancelled_jobs as jobs, completed_jobs as completed, failed_jobs as failed,
            cancelled_jobs as cancelled, 0 as open, charged_jobs, credits_charged
       from daily_usage where team_id = :team_id and ${inMonth}
     union all
     select job_type, 1, 0, 0, 0, 1, 0, 0
       from jobs where team_id = :team_id and ${jobIsOpen()} and created_at >= :from and created_at < :until
   ), types as (
     select job_type, ${sums} from created group by job_type
   ), booked as (
     select coalesce(sum(allocated), 0)::bigint as allocated, coalesce(sum(deducted), 0)::bigint as deducted,
            coalesce(sum(refunded), 0)::bigint as refunded, coalesce(sum(adjusted), 0)::bigint as adjusted
       from daily_credits where team_id = :team_id and ${inMonth}
   )
   select booked.*, ${balanceAt(':from::timestamptz')} as opening_balance, ${balanceAt(':until::timestamptz')} as closing_balance,
          (select row_to_json(whole) from (select ${sums} from created) whole) as all_jobs,
          (select coalesce(json_agg(types order by job_type collate "C"), '[]') from types) as job_types, now() as now
     from booked`,
);

/** The balances of a team in a month, and its jobs of it by type. */
export async function readStatement(
  database: Database,
  teamId: string,
  { from, until }: Month,
): Promise<StatementFigures> {
  const [row] = await database.reports.query<StatementFigures>(sql, { team_id: teamId, from, until });
  return row!;
}
