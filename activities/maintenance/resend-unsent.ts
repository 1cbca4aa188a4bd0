import { setTimeout as pause } from 'node:timers/promises';
import { heartbeat } from '@temporalio/activity';
import { refuseLateCall } from '../../src/db/calls/close-call.ts';
import { advanceCursor, readCursor } from '../../src/db/maintenance/sweep-cursors.ts';
import {
  filterQueued,
  listQueuedCalls,
  readSweepBounds,
  type UnsentCall,
} from '../../src/db/maintenance/unsent-work.ts';
import type { ActivityDeps } from '../ports.ts';
import { continueOnError } from './continue-on-error.ts';

const pageSize = 200;

/** Two rounds of retractions (`src/calls/retract-calls.ts`) and their statements have ended by then. */
const retractedWithinMs = 1_500;

const earlier = (one: Date, other: Date) => (one < other ? one : other);
const justBefore = (time: Date) => new Date(time.getTime() - 1);

const sweep = 'unsent calls';

export const createResendSteps = (deps: ActivityDeps) => {
  /**
   * Waits until retractions have run: a call whose client received 503 must not be sent, even if its commit hung and its row
   * appears late.
   */
  async function confirmQueued(calls: UnsentCall[]): Promise<UnsentCall[]> {
    if (calls.length === 0) return calls;
    await pause(retractedWithinMs);
    return filterQueued(deps.database, calls);
  }

  async function send({ job, call_id, model_group_used, is_single_call, ...call }: UnsentCall): Promise<void> {
    const { purpose, end_job, turn_seconds } = call;
    const optional = {
      ...(purpose && { purpose }),
      ...(end_job && { end_job }),
      ...(turn_seconds && { turn_seconds }),
    };
    const message = { call_id, model_group: model_group_used, ...optional, opens_job: is_single_call };
    const isSignalled = await deps.jobs.addCall(job, message, is_single_call);
    if (!isSignalled) await refuseLateCall(deps.database, job.job_id, call_id);
  }

  return {
    /**
     * Sends calls that were recorded and may never have been signalled, each once, oldest first, and returns how many it found. A
     * call whose job has ended is refused. The cursor advances page by page. It never passes a time for which a slow transaction may
     * still commit a row, nor a call that could not be sent.
     */
    async sendUnsentCalls(): Promise<number> {
      let found = 0;
      let { until, cursorUntil } = await readSweepBounds(deps.database);
      let after = await readCursor(deps.database, sweep);
      for (;;) {
        const page = await listQueuedCalls(deps.database, { after, until, limit: pageSize });
        for (const call of await confirmQueued(page)) {
          const isSent = await continueOnError(send(call), deps.log, { sweep, id: call.call_id });
          if (!isSent) cursorUntil = earlier(cursorUntil, justBefore(call.created_at));
          heartbeat();
        }
        found += page.length;
        const last = page.at(-1);
        if (!last || page.length < pageSize) {
          await advanceCursor(deps.database, sweep, cursorUntil);
          return found;
        }
        // The next page may begin with rows of the same millisecond.
        await advanceCursor(deps.database, sweep, earlier(justBefore(last.created_at), cursorUntil));
        after = { created_at: last.created_at, id: last.call_id };
      }
    },
  };
};
