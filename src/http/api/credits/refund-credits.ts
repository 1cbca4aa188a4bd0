import { CreditChange, CreditRefund } from '../../../contracts/credits.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { auditEntry } from '../../../db/audit/audit-entry.ts';
import { refundDeduction } from '../../../db/credits/refund-deduction.ts';
import { findJob } from '../../../db/jobs/find-job.ts';
import { refuse } from '../../../errors.ts';
import { requireOwnTeam } from '../../../services/teams/read-teams.ts';
import type { Deps } from '../../ports.ts';
import { route } from '../../route.ts';
import { serializeCreditChange } from './support/serialize-credits.ts';

export const refundCredits = route(
  {
    method: 'post',
    path: '/api/teams/{team_id}/credits/refund',
    summary: "Give back a job's deduction, once",
    tag: 'Credits',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    body: { schema: CreditRefund },
    response: CreditChange,
    errors: ['team_not_found', 'job_not_found', 'no_deduction', 'already_refunded'],
    example: {
      body: { reason: 'The summary was of the wrong report' },
      response: {
        transaction_type: 'refund',
        credits_before: 4,
        credits_after: 5,
        reason: 'The summary was of the wrong report',
        credits_remaining: 5,
      },
    },
  },
  async (context) => {
    const { deps, caller, params, body, newId } = context;
    const { team_id } = params;
    const { job_id, reason } = body;
    await requireOwnTeam({ deps, caller }, team_id);
    await requireJob(deps, team_id, job_id);
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
    return serializeCreditChange(outcome);
  },
);

/** A job of another team is a 404: the caller is an admin, so this discloses nothing. */
async function requireJob(deps: Deps, teamId: string, jobId: string): Promise<void> {
  const job = await findJob(deps.database, jobId);
  if (job?.team_id !== teamId) throw refuse('job_not_found', jobId);
}
