import { activityInfo, heartbeat } from '@temporalio/activity';
import { advanceCursor, readCursor, type Sweep } from '../../src/db/maintenance/sweep-cursors.ts';
import { findOpenJobs, findPendingDeliveries, type OpenJob } from '../../src/db/maintenance/terminated-work.ts';
import { abandonDelivery } from '../../src/db/webhooks/record-delivery-attempt.ts';
import { callError } from '../../src/domain/call-state.ts';
import { jobTerminated } from '../../src/domain/job-state.ts';
import type { Terminated } from '../../src/temporal/commands/terminated-workflows.ts';
import { createCallActivities } from '../call-upstream/call-upstream.ts';
import { createSettlementActivities } from '../jobs/settle-job.ts';
import type { ActivityDeps } from '../ports.ts';
import { continueOnError } from './continue-on-error.ts';

/**
 * Temporal's visibility lists the end of a workflow late: by a second, or by its own backlog. An end that appears later than this
 * is never found; listing the same ends again costs little.
 */
const overlapMs = 3_600_000;
/** A worker receives a termination with its next heartbeat, within four seconds, and drops its calls. */
const workerGraceMs = 6_000;
/** In a round, so that the steps after this one are not held up; the next round continues. */
const maxEndedPerRound = 1_000;

/** Rows that may still be open although their workflow was terminated. */
interface Terminable<T> {
  terminated: Terminated;
  findOpen(ids: string[]): Promise<T[]>;
  idOf(row: T): string;
  end(row: T): Promise<unknown>;
}

export const createTerminationSteps = (deps: ActivityDeps) => {
  const { closeCall } = createCallActivities(deps);
  const { settleJob } = createSettlementActivities(deps);

  /** A row that fails does not hold up the others. */
  async function endPage<T>(name: Sweep, { terminated, findOpen, idOf, end }: Terminable<T>, ids: string[]) {
    let ended = 0;
    let failed = 0;
    for (const row of await findOpen(ids)) {
      heartbeat();
      if (!(await terminated.includes(idOf(row)))) continue;
      if (await continueOnError(end(row), deps.log, { sweep: name, id: idOf(row) })) ended += 1;
      else failed += 1;
    }
    heartbeat();
    return { ended, failed };
  }

  /**
   * Ends what was terminated since the cursor and is still open in the record. The cursor advances only when something was found
   * and nothing has failed.
   */
  async function reconcile<T>(name: Sweep, rows: Terminable<T>): Promise<number> {
    const cursor = await readCursor(deps.database, name);
    const after = new Date(Math.max(0, cursor.created_at.getTime() - overlapMs));
    // By Temporal's clock, like the close times that it is compared with.
    const until = new Date(activityInfo().scheduledTimestampMs - workerGraceMs);
    let found = false;
    let ended = 0;
    let failed = 0;
    for await (const ids of rows.terminated.list({ after, until })) {
      found = true;
      const page = await endPage(name, rows, ids);
      ended += page.ended;
      failed += page.failed;
      if (ended >= maxEndedPerRound) return ended;
    }
    if (found && failed === 0) await advanceCursor(deps.database, name, until);
    return ended;
  }

  async function endJob({ job_id, call_ids, metadata, model_groups_used }: OpenJob): Promise<void> {
    for (const call_id of call_ids) await closeCall({ call_id, status: 'failed', error: callError.terminated });
    await settleJob({
      job_id,
      status: 'failed',
      error_message: jobTerminated,
      cancel_reason: null,
      metadata,
      model_groups_used,
      completed_at: Date.now(),
    });
  }

  return {
    /**
     * Ends the jobs whose workflow was terminated, and publishes the ends of their calls. Returns how many jobs. Idempotent by
     * the guards on the rows of calls and job.
     */
    endTerminatedJobs: () =>
      reconcile('terminated jobs', {
        terminated: deps.terminatedJobs,
        findOpen: (ids) => findOpenJobs(deps.database, ids),
        idOf: (job) => job.job_id,
        end: endJob,
      }),

    /** The same for deliveries, guarded by `status = 'pending'`. */
    endTerminatedDeliveries: () =>
      reconcile('terminated deliveries', {
        terminated: deps.terminatedDeliveries,
        findOpen: (ids) => findPendingDeliveries(deps.database, ids),
        idOf: ({ delivery_id }) => delivery_id,
        end: ({ delivery_id }) => abandonDelivery(deps.database, delivery_id, "the delivery's workflow was terminated"),
      }),
  };
};
