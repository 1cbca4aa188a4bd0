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

/** A call, and the job that was created for it. */
export interface Retractable {
  callId: string;
  opensJob: boolean;
  job: { job_id: string };
}

/**
 * Retracts calls that no worker has started, with the jobs that were created for them: a client that received a 503 is not
 * charged for what happens later.
 */
export interface Retractions {
  /** False: a worker has started the call, it does not exist, or PostgreSQL is away too. */
  retract(call: Retractable): Promise<boolean>;
  /** Retracts now, or else later. Resolves within half a second, because a 503 must not wait. */
  retractNowOrLater(call: Retractable): Promise<void>;
  /**
   * Retracts in the background, once PostgreSQL is back. Retries until every statement that was sent before the outage has
   * finished, because one of them may still insert the call.
   */
  later(call: Retractable): void;
  close(): Promise<void>;
}

const pauseMs = 500;
/** A statement that was abandoned in the outage has begun by then. Less than the 10 s after which maintenance sends unsent calls. */
const beginsWithinMs = 5_000;
const immediateMs = 500;
/** Further calls are not added: those that may still be inserted were sent before the outage was noticed, and are among the first. */
const mostPending = 5_000;

interface PendingRetraction {
  call: Retractable;
  /** When PostgreSQL first answered after the outage, by its clock. */
  answeredAt?: Date;
}

export function createRetractions(database: Database, deliveries: Pick<Deliveries, 'start'>, log: Log): Retractions {
  const pending = new Map<string, PendingRetraction>();
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  async function endJob(jobId: string): Promise<void> {
    const end = endAsRecorded(jobId, 'failed', callError.retracted);
    const settled = await settleJob(database, { ...end, credits: 0, with_call: false });
    deliveries.start(settled?.delivery_ids ?? []);
  }

  /** Returns the ids that were retracted. Throws `Unavailable`. */
  async function retractAll(calls: readonly Retractable[]): Promise<Set<string>> {
    const retracted = await retractCalls(
      database,
      calls.map(({ callId }) => callId),
    );
    for (const { callId, opensJob, job } of calls) if (opensJob && retracted.has(callId)) await endJob(job.job_id);
    return retracted;
  }

  async function round(): Promise<void> {
    const retractions = [...pending.values()];
    // The oldest open transaction is read first: what commits after this is found in the next round.
    const { now, since } = await readOldestTransaction(database);
    const retracted = await retractAll(retractions.map(({ call }) => call));
    for (const one of retractions) {
      one.answeredAt ??= now;
      const isExpired = since.getTime() - one.answeredAt.getTime() > beginsWithinMs;
      if (isExpired || retracted.has(one.call.callId)) pending.delete(one.call.callId);
    }
  }

  async function runRounds(): Promise<void> {
    while (pending.size > 0 && !closing.signal.aborted) {
      await round().catch((error: unknown) => {
        if (error instanceof Unavailable) return;
        log.error({ err: error }, 'calls: retraction failed');
        pending.clear();
      });
      if (pending.size > 0) await pause(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    running = undefined;
  }

  const retract = (call: Retractable) =>
    retractAll([call]).then(
      (retracted) => retracted.has(call.callId),
      () => false,
    );

  function later({ callId, opensJob, job: { job_id } }: Retractable): void {
    if (pending.size >= mostPending) return;
    pending.set(callId, { call: { callId, opensJob, job: { job_id } } });
    running ??= runRounds();
  }

  return {
    retract,
    later,
    async retractNowOrLater(call) {
      const done = retract(call).then((retracted) => retracted || later(call));
      await withTimeout(done, immediateMs).catch(() => undefined);
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}
