import type { z } from 'zod';
import { type JobCancellations, maxCancelledJobs } from '../../contracts/job-cancellations.ts';
import { findJobsByIds, findOpenJobs, type JobToEnd } from '../../db/jobs/find-jobs-to-end.ts';
import type { CommandWait } from '../../temporal/commands/jobs.ts';
import { visibleTeam } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { auditCancellation } from './cancel-job.ts';
import { type JobFilters, toJobFilter } from './to-job-filter.ts';

export interface Cancellations {
  matched: number;
  cancelled: number;
  already_ended: number;
  /** Further open jobs match. */
  more: boolean;
}

/** The jobs of one request that end at once: as many as a holder may send signals at once. With 4 it takes a fifth longer. */
const jobsAtOnce = 8;

/**
 * Cancels many jobs, and waits for their ends. It goes on when its client disconnects, as every command does (`spec 3.15`). After an
 * outage in the middle a repetition finds the jobs that are left. `spec 3.21`
 */
export function cancelJobs(
  context: ServiceContext,
  { reason, ...selection }: z.output<typeof JobCancellations>,
): Promise<Cancellations> {
  const { deps, holder, disconnected } = context;
  const find = jobsToEnd(context, selection);
  deps.jobs.requireWorkers();
  const cancelFound = async () => {
    const found = await find();
    const jobs = found.slice(0, maxCancelledJobs);
    let cancelled = 0;
    await forEachOf(
      jobs.filter(({ has_ended }) => !has_ended),
      jobsAtOnce,
      async (job) => {
        if (await cancelOne(context, job, reason ?? null)) cancelled += 1;
      },
    );
    const matched = jobs.length;
    return { matched, cancelled, already_ended: matched - cancelled, more: found.length > matched };
  };
  return deps.measures.places.manyEnds.run(holder, cancelFound, { signal: disconnected });
}

/** Checks the rights to what is selected. The result reads the jobs, one more than are cancelled. */
function jobsToEnd(
  { deps, caller }: ServiceContext,
  { job_ids, filter }: Pick<z.output<typeof JobCancellations>, 'job_ids' | 'filter'>,
): () => Promise<JobToEnd[]> {
  if (job_ids) return () => findJobsByIds(deps.database, job_ids, visibleTeam(caller));
  const given = Object.entries(filter ?? {}).filter(([, value]) => value !== null);
  const jobFilter = toJobFilter(caller, Object.fromEntries(given) as JobFilters);
  return () => findOpenJobs(deps.database, jobFilter, maxCancelledJobs + 1);
}

/** False: the job has ended in another way. */
async function cancelOne(context: ServiceContext, job: JobToEnd, reason: string | null): Promise<boolean> {
  const command = { reason, auditEntry: auditCancellation(context, job.job_id) };
  const outcome = await context.deps.jobs.cancel(job, command, newWait(context));
  return outcome !== undefined && 'result' in outcome && outcome.result.status === 'cancelled';
}

/** The signals take turns with the others of the holder. The request has its place for the waits of all its jobs. */
function newWait({ deps: { measures }, holder }: ServiceContext): CommandWait {
  const { signal: never } = new AbortController();
  return {
    disconnected: never,
    inTurn: (send, signal) => measures.places.endCommands.run(holder, send, { signal }),
    place: async () => ({ left: never, release: () => undefined }),
  };
}

/** Does `work` for each item, some at once. After a failure no further work begins. */
async function forEachOf<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  let hasFailed = false;
  const workOnNext = async () => {
    for (const item of left) {
      if (hasFailed) return;
      await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, workOnNext));
}
