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
 * Temporal's visibility shows the end of a workflow late: by a second, or by its own backlog. An end that shows later than this
 * is never found; listing the same ends again costs a look at a short list.
 */
const overlapMs = 3_600_000;
/** A worker learns of a termination with its next heartbeat, within four seconds, and drops its calls. */
const leftToWorkersMs = 6_000;
/** At most so many in a round, so that the sweeps after this one have their turn; the next round goes on. */
const enough = 1_000;

interface Work<T> {
  terminated: Terminated;
  findOpen(ids: string[]): Promise<T[]>;
  idOf(one: T): string;
  end(one: T): Promise<unknown>;
}

export const createTerminationActivities = (deps: ActivityDeps) => {
  const { closeCall } = createCallActivities(deps);
  const { settleJob } = createSettlementActivities(deps);

  /** Returns how many it ended, and how many it had to leave; those do not hold up the others. */
  async function endPage<T>(name: Sweep, { terminated, findOpen, idOf, end }: Work<T>, ids: string[]) {
    let ended = 0;
    let left = 0;
    for (const one of await findOpen(ids)) {
      heartbeat();
      if (!(await terminated.includes(idOf(one)))) continue;
      if (await continueOnError(end(one), deps.log, { sweep: name, id: idOf(one) })) ended += 1;
      else left += 1;
    }
    heartbeat();
    return { ended, left };
  }

  /**
   * Ends what was terminated since the mark and is still open in the record. The mark moves only when something was found and
   * nothing is left.
   */
  async function sweep<T>(name: Sweep, work: Work<T>): Promise<number> {
    const mark = await readCursor(deps.database, name);
    const after = new Date(Math.max(0, mark.created_at.getTime() - overlapMs));
    // By Temporal's clock, like the close times that it is compared with.
    const until = new Date(activityInfo().scheduledTimestampMs - leftToWorkersMs);
    let found = false;
    let ended = 0;
    let left = 0;
    for await (const ids of work.terminated.list({ after, until })) {
      found = true;
      const page = await endPage(name, work, ids);
      ended += page.ended;
      left += page.left;
      if (ended >= enough) return ended;
    }
    if (found && left === 0) await advanceCursor(deps.database, name, until);
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
     * Ends the jobs whose workflow was terminated, and tells the clients waiting for their calls. Returns how many. Idempotent
     * by the guards on the rows of calls and job.
     */
    endTerminatedJobs: () =>
      sweep('terminated jobs', {
        terminated: deps.terminatedJobs,
        findOpen: (ids) => findOpenJobs(deps.database, ids),
        idOf: (job) => job.job_id,
        end: endJob,
      }),

    /** The same for deliveries, guarded by `status = 'pending'`. */
    endTerminatedDeliveries: () =>
      sweep('terminated deliveries', {
        terminated: deps.terminatedDeliveries,
        findOpen: (ids) => findPendingDeliveries(deps.database, ids),
        idOf: ({ delivery_id }) => delivery_id,
        end: ({ delivery_id }) => abandonDelivery(deps.database, delivery_id, "the delivery's workflow was terminated"),
      }),
  };
};
