import { setTimeout as pause } from 'node:timers/promises';
import { heartbeat } from '@temporalio/activity';
import { refuseLateCall } from '../../src/db/calls/close-call.ts';
import { advanceCursor, type NextPage, readCursor, type Sweep } from '../../src/db/maintenance/sweep-cursors.ts';
import {
  filterQueued,
  listQueuedCalls,
  readSweepBounds,
  type UnsentCall,
} from '../../src/db/maintenance/unsent-work.ts';
import type { ActivityDeps } from '../ports.ts';
import { continueOnError } from './continue-on-error.ts';

const pageSize = 200;

/** Two rounds of retractions (`src/calls/retract-calls.ts`), and time for their statements. */
const retractedWithinMs = 1_500;

const earlier = (one: Date, other: Date) => (one < other ? one : other);
const justBefore = (time: Date) => new Date(time.getTime() - 1);

/** Rows that may never have been sent to Temporal. */
interface Unsent<T> {
  list(page: NextPage): Promise<T[]>;
  /** Those of a page that are still unsent. Absent: all. */
  confirm?(page: T[]): Promise<T[]>;
  idOf(row: T): string;
  send(row: T): Promise<unknown>;
}

export const createResendSteps = (deps: ActivityDeps) => {
  /**
   * Sends each row once, oldest first, and returns how many rows it found. The cursor advances page by page. It never passes a
   * time for which a slow transaction may still commit a row, nor a row that could not be sent.
   */
  async function resend<T extends { created_at: Date }>(
    name: Sweep,
    { list, confirm = async (page) => page, idOf, send }: Unsent<T>,
  ): Promise<number> {
    let found = 0;
    let { until, cursorUntil } = await readSweepBounds(deps.database);
    let after = await readCursor(deps.database, name);
    for (;;) {
      const page = await list({ after, until, limit: pageSize });
      for (const row of await confirm(page)) {
        const isSent = await continueOnError(send(row), deps.log, { sweep: name, id: idOf(row) });
        if (!isSent) cursorUntil = earlier(cursorUntil, justBefore(row.created_at));
        heartbeat();
      }
      found += page.length;
      const last = page.at(-1);
      if (!last || page.length < pageSize) {
        await advanceCursor(deps.database, name, cursorUntil);
        return found;
      }
      // The next page may begin with rows of the same millisecond.
      await advanceCursor(deps.database, name, earlier(justBefore(last.created_at), cursorUntil));
      after = { created_at: last.created_at, id: idOf(last) };
    }
  }

  /**
   * Waits until retractions have run: a call whose client received 503 must not be sent, even if its commit hung and its row
   * appears late.
   */
  async function confirmQueued(calls: UnsentCall[]): Promise<UnsentCall[]> {
    if (calls.length === 0) return calls;
    await pause(retractedWithinMs);
    return filterQueued(deps.database, calls);
  }

  return {
    /** Sends calls that were recorded and may never have been signalled; a call whose job has ended is refused. */
    sendUnsentCalls: () =>
      resend('unsent calls', {
        list: (page) => listQueuedCalls(deps.database, page),
        confirm: confirmQueued,
        idOf: (call) => call.call_id,
        async send({ job, call_id, model_group_used, purpose, is_single_call, end_job }) {
          const optional = { ...(purpose && { purpose }), ...(end_job && { end_job }) };
          const call = { call_id, model_group: model_group_used, ...optional, opens_job: is_single_call };
          const isSignalled = await deps.jobs.addCall(job, call, is_single_call);
          if (!isSignalled) await refuseLateCall(deps.database, job.job_id, call_id);
        },
      }),
  };
};
