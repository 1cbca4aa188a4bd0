import type { z } from 'zod';
import type { JobCallsQuery } from '../../contracts/job-calls.ts';
import { type AttemptRow, listAttemptsOfCalls } from '../../db/calls/list-attempts.ts';
import { type JobCallRow, listJobCalls as listCalls } from '../../db/calls/list-job-calls.ts';
import type { KeysetPageResult } from '../../db/sql/read-keyset-page.ts';
import type { ServiceContext } from '../context.ts';
import { getJobForCaller } from '../jobs/get-job.ts';

/** A team never sees a concrete model: `attempts` is undefined for it. `spec 3.9` */
export interface CallWithAttempts {
  call: JobCallRow;
  attempts: AttemptRow[] | undefined;
}

/** The calls as the caller may see them. */
export async function withAttempts(
  { deps, caller }: ServiceContext,
  calls: readonly JobCallRow[],
): Promise<CallWithAttempts[]> {
  if (caller.kind === 'team') return calls.map((call) => ({ call, attempts: undefined }));
  // The attempts are read after the calls, because those of each are recorded with its end.
  const attemptsByCall = Map.groupBy(await listAttemptsOfCalls(deps.database, calls), ({ call_id }) => call_id);
  return calls.map((call) => ({ call, attempts: attemptsByCall.get(call.call_id) ?? [] }));
}

export interface JobCallsPage {
  jobId: string;
  total: number | null;
  calls: CallWithAttempts[];
  next: KeysetPageResult<object>['next'];
}

/** A page of a job's calls, in the order in which they were made. */
export async function listJobCalls(
  context: ServiceContext,
  jobId: string,
  query: z.output<typeof JobCallsQuery>,
): Promise<JobCallsPage> {
  const { job_id } = await getJobForCaller(context, jobId);
  const { total, rows, next } = await listCalls(context.deps.database, job_id, query);
  return { jobId: job_id, total, calls: await withAttempts(context, rows), next };
}
