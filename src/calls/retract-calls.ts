import { setTimeout as pause } from 'node:timers/promises';
import { withTimeout } from '../concurrency/with-timeout.ts';
import { retractCalls } from '../db/calls/retract-calls.ts';
import type { Database } from '../db/connection/database.ts';
import { endAsRecorded, settleJob } from '../db/jobs/settle-job.ts';
import { readOldestTransaction } from '../db/server/oldest-transaction.ts';
import { callError } from '../domain/call-state.ts';
import { Unavailable } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Deliveries } from '../temporal/commands/deliveries.ts';

/** A call, and the job that was made for it. */
export interface Retractable {
  callId: string;
  opensJob: boolean;
  job: { job_id: string };
}

/**
 * Retracts calls that no worker has begun, with the jobs that were made for them: a client that was told 503 is not charged
 * for what happens later.
 */
export interface Retractions {
  /** False: the call has begun or does not exist, or PostgreSQL is away too. */
  retract(call: Retractable): Promise<boolean>;
  /** Retracts now, or else later. Resolves soon, because a 503 waits for nothing. */
  retractNowOrLater(call: Retractable): Promise<void>;
  /**
   * Retracts in the background, once PostgreSQL is back. Keeps trying until every statement sent before the outage has
   * finished, because one of them may still insert the call.
   */
  later(call: Retractable): void;
  close(): Promise<void>;
}

const pauseMs = 500;
/** A statement that was given up in the outage has begun by then. Less than the 10 s after which a sweep sends forgotten calls. */
const beginsWithinMs = 5_000;
const soonMs = 500;
/** No more calls are kept. Those that may still be inserted were sent before the outage showed, and are among the first. */
const atMost = 5_000;

interface Waiting {
  call: Retractable;
  /** When PostgreSQL first answered after the outage, by its clock. */
  answeredAt?: Date;
}

export function createRetractions(database: Database, deliveries: Pick<Deliveries, 'start'>, log: Log): Retractions {
  const waiting = new Map<string, Waiting>();
  const closing = new AbortController();
  let working: Promise<void> | undefined;

  async function endJob(jobId: string): Promise<void> {
    const end = endAsRecorded(jobId, 'failed', callError.retracted);
    const settled = await settleJob(database, { ...end, credits: 0, with_call: false });
    deliveries.start(settled?.delivery_ids ?? []);
  }

  /** Returns the ids that were retracted. Throws `Unavailable`. */
  async function takeBack(calls: readonly Retractable[]): Promise<Set<string>> {
    const retracted = await retractCalls(
      database,
      calls.map(({ callId }) => callId),
    );
    for (const { callId, opensJob, job } of calls) if (opensJob && retracted.has(callId)) await endJob(job.job_id);
    return retracted;
  }

  async function round(): Promise<void> {
    const asked = [...waiting.values()];
    // Read the oldest open transaction first: what commits after this is looked for in the next round.
    const { now, since } = await readOldestTransaction(database);
    const retracted = await takeBack(asked.map(({ call }) => call));
    for (const one of asked) {
      one.answeredAt ??= now;
      const isOver = since.getTime() - one.answeredAt.getTime() > beginsWithinMs;
      if (isOver || retracted.has(one.call.callId)) waiting.delete(one.call.callId);
    }
  }

  async function work(): Promise<void> {
    while (waiting.size > 0 && !closing.signal.aborted) {
      await round().catch((error: unknown) => {
        if (error instanceof Unavailable) return;
        log.error({ err: error }, 'calls were not taken back');
        waiting.clear();
      });
      if (waiting.size > 0) await pause(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    working = undefined;
  }

  const retract = (call: Retractable) =>
    takeBack([call]).then(
      (retracted) => retracted.has(call.callId),
      () => false,
    );

  function later({ callId, opensJob, job: { job_id } }: Retractable): void {
    if (waiting.size >= atMost) return;
    waiting.set(callId, { call: { callId, opensJob, job: { job_id } } });
    working ??= work();
  }

  return {
    retract,
    later,
    async retractNowOrLater(call) {
      const done = retract(call).then((retracted) => retracted || later(call));
      await withTimeout(done, soonMs).catch(() => undefined);
    },
    async close() {
      closing.abort();
      await working;
    },
  };
}
