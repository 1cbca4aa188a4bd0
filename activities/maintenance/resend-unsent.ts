import { setTimeout as pause } from 'node:timers/promises';
import { heartbeat } from '@temporalio/activity';
import { refuseLateCall } from '../../src/db/calls/close-call.ts';
import { queuedCalls } from '../../src/db/calls/read-call-end.ts';
import { deleteExpiredKeys } from '../../src/db/idempotency/idempotency-keys.ts';
import {
  deleteDeliveries,
  deleteEndedKeys,
  deleteEndedSessions,
  deletePayloads,
} from '../../src/db/maintenance/delete-expired.ts';
import { advanceCursor, readCursor, type Sweep } from '../../src/db/maintenance/sweep-cursors.ts';
import { listPendingJobs, listQueuedCalls, type NextPage, readReach } from '../../src/db/maintenance/unsent-work.ts';
import { deleteInBatches } from '../../src/db/sql/delete-in-batches.ts';
import type { ActivityDeps } from '../ports.ts';
import { continueOnError } from './continue-on-error.ts';

const atATime = 200;

/** Two rounds of retractions (`src/calls/retract-calls.ts`), and time for their statements. */
const takenBackWithinMs = 1_500;

const earlier = (one: Date, other: Date) => (one < other ? one : other);
const justBefore = (time: Date) => new Date(time.getTime() - 1);

interface Work<T> {
  list(page: NextPage): Promise<T[]>;
  /** Those of a page that are still to be mended. Absent: all. */
  confirm?(page: T[]): Promise<T[]>;
  idOf(one: T): string;
  mend(one: T): Promise<unknown>;
}

export const createSweepActivities = (deps: ActivityDeps) => {
  /**
   * Mends each row once, oldest first, and returns how many rows it found. The mark advances page by page. It never passes a
   * time for which a slow transaction may still commit a row, nor a row that could not be mended.
   */
  async function sweep<T extends { created_at: Date }>(
    name: Sweep,
    { list, confirm = async (page) => page, idOf, mend }: Work<T>,
  ): Promise<number> {
    let found = 0;
    let { until, complete } = await readReach(deps.database);
    let after = await readCursor(deps.database, name);
    for (;;) {
      const page = await list({ after, until, limit: atATime });
      for (const one of await confirm(page)) {
        const isMended = await continueOnError(mend(one), deps.log, { sweep: name, id: idOf(one) });
        if (!isMended) complete = earlier(complete, justBefore(one.created_at));
        heartbeat();
      }
      found += page.length;
      const last = page.at(-1);
      if (!last || page.length < atATime) {
        await advanceCursor(deps.database, name, complete);
        return found;
      }
      // The next page may begin with rows of the same millisecond.
      await advanceCursor(deps.database, name, earlier(justBefore(last.created_at), complete));
      after = { created_at: last.created_at, id: idOf(last) };
    }
  }

  /** Waits for retractions to run: a call whose client was told 503 must not be sent, even if its commit hung and its row appears late. */
  async function confirmQueued<T extends { call_id: string }>(calls: T[]): Promise<T[]> {
    if (calls.length === 0) return calls;
    await pause(takenBackWithinMs);
    const queued = await queuedCalls(
      deps.database,
      calls.map(({ call_id }) => call_id),
    );
    return calls.filter(({ call_id }) => queued.has(call_id));
  }

  return {
    /** Starts jobs whose creation was recorded and whose workflow may never have been started. Returns how many it found. */
    startForgottenJobs: () =>
      sweep('forgotten jobs', {
        list: (page) => listPendingJobs(deps.database, page),
        idOf: (job) => job.job_id,
        mend: (job) => deps.jobs.start(job),
      }),

    /** Sends calls that were recorded and may never have been signalled; a call whose job has ended is refused. */
    sendForgottenCalls: () =>
      sweep('forgotten calls', {
        list: (page) => listQueuedCalls(deps.database, page),
        confirm: confirmQueued,
        idOf: (call) => call.call_id,
        async mend({ job, call_id, model_group_used, opens_job }) {
          const heard = await deps.jobs.addCall(job, { call_id, model_group: model_group_used, opens_job });
          if (!heard) await refuseLateCall(deps.database, job.job_id, call_id);
        },
      }),

    /**
     * Deletes the answers kept for repeated requests after 24 h; prompts and answers, and deliveries, sessions and keys that
     * have ended, after `PAYLOAD_RETENTION_DAYS`.
     */
    async forgetWhatIsOld(): Promise<void> {
      const days = deps.config.PAYLOAD_RETENTION_DAYS;
      await deleteInBatches((atMost) => deleteExpiredKeys(deps.database, atMost), heartbeat);
      for (const deleteOld of [deletePayloads, deleteDeliveries, deleteEndedSessions, deleteEndedKeys])
        await deleteInBatches((atMost) => deleteOld(deps.database, days, atMost), heartbeat);
    },
  };
};
