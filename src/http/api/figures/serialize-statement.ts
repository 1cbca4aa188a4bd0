import type { z } from 'zod';
import type { Statement, StatementRow } from '../../../contracts/statement.ts';
import type { StatementResult } from '../../../services/figures/get-statement.ts';

type StatementBody = z.output<typeof Statement>;

export function serializeStatement(result: StatementResult): z.input<typeof Statement> {
  const { team, organizationName, period, month, figures } = result;
  const { all_jobs, job_types, now, ...credits } = figures;
  return {
    team_id: team.team_id,
    team_alias: team.team_alias,
    organization_id: team.organization_id,
    organization_name: organizationName,
    period,
    from: month.from.toISOString(),
    to: month.until.toISOString(),
    is_complete: month.until <= now,
    credits,
    jobs: all_jobs,
    job_types,
  };
}

const noJobs = { jobs: null, completed: null, failed: null, cancelled: null, open: null, charged_jobs: null };
const lines = ['opening_balance', 'allocated', 'deducted', 'refunded', 'adjusted', 'closing_balance'] as const;

/** The lines of the file. */
export function statementRows({ period, credits, jobs, job_types }: StatementBody): z.input<typeof StatementRow>[] {
  const ofJobs = ({ credits_charged, ...counts }: StatementBody['jobs']) => ({ ...counts, credits: credits_charged });
  return [
    ...lines.map((line) => ({ period, line, job_type: null, credits: credits[line], ...noJobs })),
    ...job_types.map(({ job_type, ...type }) => ({ period, line: 'job_type' as const, job_type, ...ofJobs(type) })),
    { period, line: 'jobs', job_type: null, ...ofJobs(jobs) },
  ];
}
