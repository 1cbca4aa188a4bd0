import { encodeCursor } from '../../../contracts/cursor.ts';
import { JobTimeline, JobTimelineQuery } from '../../../contracts/job-timeline.ts';
import { JobParams } from '../../../contracts/jobs.ts';
import { listJobCalls } from '../../../db/calls/list-job-calls.ts';
import { findJob, type JobRow } from '../../../db/jobs/find-job.ts';
import { readCharge } from '../../../db/jobs/read-charge.ts';
import {
  type AuditRow,
  type JobDeliveryRow,
  listAuditOfJob,
  listDeliveriesOfJob,
  listTransactionsOfJob,
} from '../../../db/jobs/read-records.ts';
import type { KeysetPage } from '../../../db/sql/read-keyset-page.ts';
import { workflowId } from '../../../domain/ids.ts';
import { isFinished } from '../../../domain/job-state.ts';
import type { Deps } from '../../ports.ts';
import { route } from '../../route.ts';
import { serializeTransaction } from '../credits/serialize-credits.ts';
import { getJobForCaller } from './support/get-job-for-caller.ts';
import { callsForCaller } from './support/serialize-call.ts';
import { serializeListedJob } from './support/serialize-job.ts';
import { verdictOf } from './support/verdict-of.ts';

export const getTimeline = route(
  {
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
    response: JobTimeline,
    errors: ['job_of_another_team', 'job_not_found'],
    example: { response: { next_calls_cursor: null, audit: [] } },
  },
  async ({ deps, caller, params, query: { calls_limit, calls_cursor } }) => {
    const isForAdmin = caller.kind !== 'team';
    const job = await getJobForCaller(deps, caller, params.job_id);
    const read = await readTimeline(deps, job, { limit: calls_limit, cursor: calls_cursor, isForAdmin });
    const { calls, transactions, deliveries, audit } = read;
    return {
      job: serializeListedJob(read.job),
      verdict: verdictOf({ job: read.job, charge: read.charge, transactions, isForAdmin }),
      calls: await callsForCaller(deps, caller, calls.rows),
      calls_total: calls.total!,
      next_calls_cursor: calls.next && encodeCursor(calls.next),
      transactions: transactions.map(serializeTransaction),
      deliveries: deliveries.map(serializeDelivery),
      audit: audit.map(serializeAuditEntry),
      ...(isForAdmin && { temporal: temporalPage(deps, job.job_id) }),
    };
  },
);

type CallsOfTimeline = Pick<KeysetPage, 'limit' | 'cursor'> & { isForAdmin: boolean };

/** Consistent although read in several queries: an ended job stays as it is, and one that ends meanwhile is read again. */
async function readTimeline(deps: Deps, before: JobRow, { isForAdmin, ...page }: CallsOfTimeline) {
  const { database } = deps;
  const { job_id } = before;
  const [calls, charge, transactions, deliveries, audit] = await Promise.all([
    listJobCalls(database, job_id, page),
    readCharge(database, job_id),
    listTransactionsOfJob(database, job_id),
    listDeliveriesOfJob(database, job_id),
    isForAdmin ? listAuditOfJob(database, before) : [],
  ]);
  const job = isFinished(before.status) ? before : ((await findJob(database, job_id)) ?? before);
  if (isFinished(job.status) !== isFinished(before.status)) return readTimeline(deps, job, { isForAdmin, ...page });
  return { job, calls, charge, transactions, deliveries, audit };
}

const serializeDelivery = (row: JobDeliveryRow) => ({
  ...row,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
});

const serializeAuditEntry = ({ user_id, created_at, ...entry }: AuditRow) => ({
  ...entry,
  ...(user_id && { user_id }),
  created_at: created_at.toISOString(),
});

/** The page of the job's workflow in the Temporal UI. */
function temporalPage({ config: { TEMPORAL_UI_URL: address, TEMPORAL_NAMESPACE: namespace } }: Deps, jobId: string) {
  const id = workflowId.job(jobId);
  const url = address && `${address.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows/${id}`;
  return { workflow_id: id, url: url ?? null };
}
