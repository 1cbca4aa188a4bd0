import type { OrganizationStatus } from '../../domain/team.ts';
import type { Month } from '../../domain/time/month.ts';
import type { Database } from '../connection/database.ts';
import { inMonth, type JobTotals } from '../figures/read-team-usage.ts';
import { oneContains } from '../sql/contains.ts';
import { type KeysetPage, readKeysetPage } from '../sql/read-keyset-page.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';
import { type OrganizationRow, organizationColumns } from './find-organization.ts';

export interface OrganizationSelection extends KeysetPage {
  organization_id?: string | undefined;
  status?: OrganizationStatus | undefined;
  q?: string | undefined;
}

const where = `(:organization_id::text is null or organization_id = :organization_id)
     and (:status::text is null or status = :status)
     and (:q::text is null or ${oneContains(['organization_id', 'name'])})`;
const listing = {
  columns: organizationColumns,
  keyset: {
    name: 'organizations',
    columns: [
      { sql: 'created_at', type: 'timestamptz', direction: 'asc' },
      { sql: 'organization_id', type: 'text', direction: 'asc' },
    ],
  },
  from: (after: string) => `organizations where ${where} and ${after}`,
  count: `select count(*) as total from organizations where ${where}`,
} as const;

/** The oldest first. */
export const listOrganizations = (database: Database, { organization_id, status, q, ...page }: OrganizationSelection) =>
  readKeysetPage<OrganizationRow>(
    database,
    listing,
    { organization_id: organization_id ?? null, status: status ?? null, q: q ?? null },
    page,
  );

/** An organization with what all its teams did in the month. */
export interface OrganizationFigures extends JobTotals {
  organization_id: string;
  team_count: number;
  credits_used: number;
}

const figuresSql = statement(
  'read_organization_figures',
  `select o.organization_id, (select count(*) from teams t where t.organization_id = o.organization_id)::bigint as team_count,
          ended.completed_jobs, ended.failed_jobs, ended.cancelled_jobs,
          ended.completed_jobs + ended.failed_jobs + ended.cancelled_jobs + unfinished.jobs as total_jobs,
          ended.cost_usd + unfinished.cost_usd as total_cost_usd, ended.tokens + unfinished.tokens as total_tokens,
          (select coalesce(sum(d.credits_used), 0)::bigint from daily_credits d
            where d.organization_id = o.organization_id and ${inMonth}) as credits_used
     from unnest(:organization_ids::text[]) o (organization_id)
    cross join lateral (
      select coalesce(sum(completed_jobs), 0)::bigint as completed_jobs, coalesce(sum(failed_jobs), 0)::bigint as failed_jobs,
             coalesce(sum(cancelled_jobs), 0)::bigint as cancelled_jobs, coalesce(sum(total_cost_usd), 0) as cost_usd,
             coalesce(sum(total_tokens), 0)::bigint as tokens
        from daily_usage where daily_usage.organization_id = o.organization_id and ${inMonth}) ended
    cross join lateral (
      select count(*) as jobs, coalesce(sum(j.total_cost_usd), 0) as cost_usd, coalesce(sum(j.total_tokens), 0)::bigint as tokens
        from teams t join jobs j on j.team_id = t.team_id and ${jobIsOpen('j.status')}
         and j.created_at >= :from and j.created_at < :until
       where t.organization_id = o.organization_id) unfinished`,
);

/** The figures of `readOrganizationUsage`, of several organizations and not by team. */
export const readOrganizationFigures = (
  database: Database,
  organizationIds: readonly string[],
  { from, until }: Month,
): Promise<OrganizationFigures[]> =>
  database.reports.query<OrganizationFigures>(figuresSql, { organization_ids: organizationIds, from, until });
