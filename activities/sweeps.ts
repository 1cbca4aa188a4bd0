import { heartbeat } from '@temporalio/activity';
import { closeCall } from '../src/db/queries/close-call.ts';
import { deleteDeliveries } from '../src/db/queries/delete-deliveries.ts';
import { deletePayloads } from '../src/db/queries/delete-payloads.ts';
import {
  advanceSweep,
  listPendingJobs,
  listQueuedCalls,
  type Page,
  type Sweep,
  settledUntil,
  sweepMark,
} from '../src/db/queries/forgotten-work.ts';
import { deleteExpiredKeys } from '../src/db/queries/idempotency-keys.ts';
import type { ActivityDeps } from './deps.ts';

const atATime = 200;
const oldAtATime = 5_000;
/** A record shows when it is committed, and bears the time at which that began. */
const lateMs = 60_000;

export const createSweepActivities = (deps: ActivityDeps) => {
  /** Each thing once, oldest first: the mark moves when a page is done, and follows the time when there was nothing. Says how many. */
  async function sweep<T extends { created_at: Date }>(
    name: Sweep,
    list: (page: Page) => Promise<T[]>,
    idOf: (one: T) => string,
    mend: (one: T) => Promise<unknown>,
  ): Promise<number> {
    let mended = 0;
    const until = await settledUntil(deps.database);
    let after = await sweepMark(deps.database, name);
    for (;;) {
      const page = await list({ after, until, limit: atATime });
      for (const one of page) {
        await mend(one);
        heartbeat();
      }
      mended += page.length;
      const last = page.at(-1);
      await advanceSweep(deps.database, name, last?.created_at ?? new Date(until.getTime() - lateMs));
      if (!last || page.length < atATime) return mended;
      after = { created_at: last.created_at, id: idOf(last) };
    }
  }

  return {
    /** Jobs whose creation was recorded and whose workflow may never have been started. Says how many it started again. */
    startForgottenJobs: () =>
      sweep(
        'forgotten jobs',
        (page) => listPendingJobs(deps.database, page),
        (job) => job.job_id,
        (job) => deps.jobs.start(job),
      ),

    /** Calls that were recorded and may never have been signalled; one whose job has ended is refused. */
    sendForgottenCalls: () =>
      sweep(
        'forgotten calls',
        (page) => listQueuedCalls(deps.database, page),
        (call) => call.call_id,
        async ({ job, call_id, model_group_used }) => {
          const heard = await deps.jobs.call(job, call_id, model_group_used);
          if (!heard) await closeCall(deps.database, call_id, 'refused', 'completed');
        },
      ),

    /** Answers kept for repeated requests, 24 h; prompts and answers, and ended deliveries, `PAYLOAD_RETENTION_DAYS`. */
    async forgetWhatIsOld(): Promise<void> {
      while ((await deleteExpiredKeys(deps.database, oldAtATime)) === oldAtATime) heartbeat();
      const days = deps.config.PAYLOAD_RETENTION_DAYS;
      while ((await deletePayloads(deps.database, days, oldAtATime)) === oldAtATime) heartbeat();
      while ((await deleteDeliveries(deps.database, days, oldAtATime)) === oldAtATime) heartbeat();
    },
  };
};
