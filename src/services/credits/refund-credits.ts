import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import { refundDeduction } from '../../db/credits/refund-deduction.ts';
import type { TransactionRow } from '../../db/credits/write-transaction.ts';
import { findJob, type JobRow } from '../../db/jobs/find-job.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';
import { requireOwnTeam } from '../teams/read-teams.ts';

interface RequestedRefund {
  team_id: string;
  job_id: string;
  reason?: string | null | undefined;
}

/** Gives back what a job of the team cost, once. `spec 6.4` */
export async function refundCredits(
  context: ServiceContext,
  { team_id, job_id, reason }: RequestedRefund,
): Promise<TransactionRow> {
  const { deps, newId } = context;
  await requireOwnTeam(context, team_id);
  const { status } = await requireJob(deps, team_id, job_id);
  const audit_entry = auditEntry(newId('audit'), context, {
    action: 'refunded_credits',
    resource_type: 'team',
    resource_id: team_id,
    details: { job_id, reason },
  });
  const transaction_id = newId('transaction');
  const refund = { transaction_id, team_id, job_id, reason: reason ?? 'Job refunded', audit_entry };
  const outcome = await refundDeduction(deps.database, refund);
  if (typeof outcome === 'string') throw refuse(outcome);
  deps.changes.publish('teams', { team_id });
  deps.changes.publish('jobs', { job_id, team_id, status });
  return outcome;
}

/** A job of another team is a 404: the caller is an admin, so this discloses nothing. */
async function requireJob({ database }: ServiceDeps, teamId: string, jobId: string): Promise<JobRow> {
  const job = await findJob(database, jobId);
  if (job?.team_id !== teamId) throw refuse('job_not_found', jobId);
  return job;
}
