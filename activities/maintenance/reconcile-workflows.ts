import { heartbeat } from '@temporalio/activity';
import {
  listOpenJobs,
  listOrphanedCalls,
  listPendingDeliveries,
  type OpenRow,
} from '../../src/db/maintenance/open-work.ts';
import { moveCursor, type NextPage, readCursor, type Sweep } from '../../src/db/maintenance/sweep-cursors.ts';
import { readSweepBounds } from '../../src/db/maintenance/unsent-work.ts';
import { workflowId } from '../../src/domain/ids.ts';
import { recoverDelivery } from '../../src/services/webhooks/recover-delivery.ts';
import { createCallActivities } from '../call-upstream/call-upstream.ts';
import type { ActivityDeps } from '../ports.ts';
import { continueOnError } from './continue-on-error.ts';

/** One request to Temporal's visibility asks for so many workflows. */
const pageSize = 1_000;
/** A round reads so many pages, so that the steps after this one are not held up. The next round continues. */
const maxPagesPerRound = 10;
const maxLostPerRound = 1_000;

const beginning = new Date(0);
const justBefore = (time: Date) => new Date(time.getTime() - 1);

/** Rows that are open in the record, each with a workflow of its own. */
interface Open {
  list(page: NextPage): Promise<OpenRow[]>;
  workflowIdOf(id: string): string;
  /** The workflow is not listed as running: it is lost, or Temporal's visibility is late. */
  reconcile(id: string): Promise<unknown>;
}

export const createReconciliationSteps = (deps: ActivityDeps) => {
  const { closeCall } = createCallActivities(deps);

  /**
   * Compares a part of the open rows with Temporal, oldest first, and returns how many were not listed as running. After the newest row
   * it begins again.
   */
  async function compare(name: Sweep, { list, workflowIdOf, reconcile }: Open): Promise<number> {
    const { until } = await readSweepBounds(deps.database);
    let after = await readCursor(deps.database, name);
    let lost = 0;
    for (let pages = 1; ; pages += 1) {
      const rows = await list({ after, until, limit: pageSize });
      const running = await deps.workflows.listRunning(rows.map(({ id }) => workflowIdOf(id)));
      heartbeat();
      for (const { id } of rows.filter((row) => !running.has(workflowIdOf(row.id)))) {
        await continueOnError(reconcile(id), deps.log, { sweep: name, id });
        heartbeat();
        lost += 1;
      }
      const last = rows.at(-1);
      if (!last || rows.length < pageSize) {
        await moveCursor(deps.database, name, beginning);
        return lost;
      }
      if (pages === maxPagesPerRound || lost >= maxLostPerRound) {
        // The next round may begin with rows of the same millisecond.
        await moveCursor(deps.database, name, justBefore(last.created_at));
        return lost;
      }
      after = { created_at: last.created_at, id: last.id };
    }
  }

  /** A job that is past its deadline is sent it again: the api that changed it may have ended between the record and the signal. */
  async function listAndRemindJobs(page: NextPage): Promise<OpenRow[]> {
    const rows = await listOpenJobs(deps.database, page);
    for (const { id, overdue_since } of rows) {
      if (!overdue_since) continue;
      await continueOnError(deps.jobs.changeDeadline(id, overdue_since), deps.log, { sweep: 'open jobs', id });
      heartbeat();
    }
    return rows;
  }

  async function reconcileDelivery(id: string): Promise<void> {
    const state = await deps.workflows.stateOf(workflowId.delivery(id));
    const webhook = await recoverDelivery(deps, id, state);
    if (webhook) deps.changes.publish('webhooks', webhook);
  }

  return {
    /** Resumes the open jobs whose workflow is lost. Idempotent by the workflow id. */
    reconcileJobs: () =>
      compare('open jobs', {
        list: listAndRemindJobs,
        workflowIdOf: workflowId.job,
        reconcile: deps.jobs.resume,
      }),

    /** Ends the deliveries whose workflow was terminated, and starts those again whose workflow is lost in another way. */
    reconcileDeliveries: () =>
      compare('pending deliveries', {
        list: (page) => listPendingDeliveries(deps.database, page),
        workflowIdOf: workflowId.delivery,
        reconcile: reconcileDelivery,
      }),

    /** Refuses the calls that the workflow of their job has lost, such as by a reset, once the job has ended. Returns how many. */
    async closeOrphanedCalls(): Promise<number> {
      const calls = await listOrphanedCalls(deps.database, pageSize);
      for (const { call_id, job_status } of calls) {
        await closeCall({ call_id, status: 'refused', error: job_status });
        heartbeat();
      }
      return calls.length;
    },
  };
};
