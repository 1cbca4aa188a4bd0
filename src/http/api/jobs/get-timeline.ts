import { encodeCursor } from '../../../contracts/cursor.ts';
import { JobTimeline, JobTimelineQuery } from '../../../contracts/job-timeline.ts';
import { JobParams } from '../../../contracts/jobs.ts';
import type { AuditRow, JobDeliveryRow } from '../../../db/jobs/read-records.ts';
import { deliveryErrorCode } from '../../../domain/delivery-error.ts';
import { workflowId } from '../../../domain/ids.ts';
import { readTimeline } from '../../../services/jobs/read-timeline.ts';
import type { Deps } from '../../ports.ts';
import { route } from '../../route.ts';
import { serializeTransaction } from '../credits/serialize-credits.ts';
import { serializeBudget } from './serialize-budget.ts';
import { serializeCall } from './serialize-call.ts';
import { serializeListedJob } from './serialize-job.ts';
import { serializeVerdict } from './serialize-verdict.ts';

export const getTimeline = route(
  {
    operationId: 'getJobTimeline',
    method: 'get',
    path: '/api/jobs/{job_id}/timeline',
    summary: 'Read everything about a job, and why it was charged or not',
    description:
      'The job, its calls, ledger rows, webhook deliveries and audit entries, as they are recorded, and a `verdict`: what was charged ' +
      'and why, decided by the same rules that charge. A job with more calls than `calls_limit` is read on by `calls_cursor`.',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'lists' },
    params: JobParams,
    query: JobTimelineQuery,
    response: JobTimeline.meta({ example: { next_calls_cursor: null, audit: [] } }),
    errors: ['job_of_another_team', 'job_not_found'],
  },
  async (context) => {
    const { deps, caller, params, query } = context;
    const isForAdmin = caller.kind !== 'team';
    const page = { limit: query.calls_limit, cursor: query.calls_cursor };
    const timeline = await readTimeline(context, params.job_id, page);
    const { job, charge, transactions, nextCalls } = timeline;
    return {
      job: serializeListedJob(job),
      verdict: serializeVerdict({ job, charge, transactions, isForAdmin }),
      ...serializeBudget(job.budget),
      calls: timeline.calls.map(serializeCall),
      calls_total: timeline.callsTotal,
      next_calls_cursor: nextCalls && encodeCursor(nextCalls),
      transactions: transactions.map(serializeTransaction),
      deliveries: timeline.deliveries.map(serializeDelivery),
      audit: timeline.audit.map(serializeAuditEntry),
      ...(isForAdmin && { temporal: temporalPage(deps, job.job_id) }),
    };
  },
);

const serializeDelivery = (row: JobDeliveryRow) => ({
  ...row,
  last_error_code: deliveryErrorCode(row.last_error),
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
});

const serializeAuditEntry = ({ user_id, user_name, created_at, ...entry }: AuditRow) => ({
  ...entry,
  ...(user_id && { user_id, user_name }),
  created_at: created_at.toISOString(),
});

/** The page of the job's workflow in the Temporal UI. */
function temporalPage({ config: { TEMPORAL_UI_URL: address, TEMPORAL_NAMESPACE: namespace } }: Deps, jobId: string) {
  const id = workflowId.job(jobId);
  const url = address && `${address.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows/${id}`;
  return { workflow_id: id, url: url ?? null };
}
