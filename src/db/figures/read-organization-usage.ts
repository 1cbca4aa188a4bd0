import type { Month } from '../../domain/time/month.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';
import { inMonth, type JobTotals } from './read-team-usage.ts';

/** What one team did in the month. */
export interface UsageOfTeam extends JobTotals {
  team_id: string;
  credits_used: number;
}

const sql = statement(
  'read_organization_usage',
  `with members as (
     select team_id, created_at from teams where organization_id = :organization_id
   ), finished as (
     select team_id, sum(completed_jobs) as completed, sum(failed_jobs) as failed, sum(cancelled_jobs) as cancelled,
            sum(total_cost_usd) as cost_usd, sum(total_tokens) as tokens
       from daily_usage where organization_id = :organization_id and ${inMonth} group by team_id
   ), unfinished as (
     select j.team_id, count(*) as jobs, sum(j.total_cost_usd) as cost_usd, sum(j.total_tokens) as tokens
       from members m join jobs j on j.team_id = m.team_id and ${jobIsOpen('j.status')}
        and j.created_at >= :from and j.created_at < :until group by j.team_id
   ), credits as (
     select team_id, sum(credits_used) as used from daily_credits
      where organization_id = :organization_id and ${inMonth} group by team_id
   )
   select m.team_id,
          (coalesce(f.completed + f.failed + f.cancelled, 0) + coalesce(u.jobs, 0))::bigint as total_jobs,
          coalesce(f.completed, 0)::bigint as completed_jobs, coalesce(f.failed, 0)::bigint as failed_jobs,
          coalesce(f.cancelled, 0)::bigint as cancelled_jobs,
          coalesce(f.cost_usd, 0) + coalesce(u.cost_usd, 0) as total_cost_usd,
          (coalesce(f.tokens, 0) + coalesce(u.tokens, 0))::bigint as total_tokens,
          coalesce(c.used, 0)::bigint as credits_used
     from members m
     left join finished f on f.team_id = m.team_id
     left join unfinished u on u.team_id = m.team_id
     left join credits c on c.team_id = m.team_id
    order by m.created_at, m.team_id`,
);

/** Every team of the organization, the idle ones too, the oldest first. */
export const readOrganizationUsage = (
  database: Database,
  organizationId: string,
  { from, until }: Month,
): Promise<UsageOfTeam[]> => database.reports.query<UsageOfTeam>(sql, { organization_id: organizationId, from, until });
