import { listJobCalls } from '../../db/calls/list-job-calls.ts';
import type { TransactionRow } from '../../db/credits/write-transaction.ts';
import { type FoundJob, findJob } from '../../db/jobs/find-job.ts';
import { type ChargeRow, readCharge } from '../../db/jobs/read-charge.ts';
import {
  type AuditRow,
  type JobDeliveryRow,
  listAuditOfJob,
  listDeliveriesOfJob,
  listTransactionsOfJob,
} from '../../db/jobs/read-records.ts';
import type { KeysetPage, KeysetPageResult } from '../../db/sql/read-keyset-page.ts';
import { isFinished } from '../../domain/job-state.ts';
import { type CallWithAttempts, withAttempts } from '../calls/list-job-calls.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';
import { getJobForCaller } from './get-job.ts';

export interface JobTimeline {
  job: FoundJob;
  calls: CallWithAttempts[];
  callsTotal: number;
  nextCalls: KeysetPageResult<object>['next'];
  charge: ChargeRow;
  transactions: TransactionRow[];
  deliveries: JobDeliveryRow[];
  audit: AuditRow[];
}

type CallsPage = Pick<KeysetPage, 'limit' | 'cursor'>;

/** Everything that is recorded about a job. A team sees no audit entry. */
export async function readTimeline(context: ServiceContext, jobId: string, page: CallsPage): Promise<JobTimeline> {
  const { deps, caller } = context;
  const before = await getJobForCaller(context, jobId);
  const { calls, ...timeline } = await readConsistently(deps, before, { ...page, isForAdmin: caller.kind !== 'team' });
  return {
    ...timeline,
    calls: await withAttempts(context, calls.rows),
    callsTotal: calls.total!,
    nextCalls: calls.next,
  };
}

/** Reads consistently in several queries: an ended job stays as it is, and one that ends meanwhile is read again. */
async function readConsistently(
  deps: ServiceDeps,
  before: FoundJob,
  { isForAdmin, ...page }: CallsPage & { isForAdmin: boolean },
) {
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
  if (isFinished(job.status) !== isFinished(before.status)) return readConsistently(deps, job, { isForAdmin, ...page });
  return { job, calls, charge, transactions, deliveries, audit };
}
