import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from './db/database.ts';
import { endAsRecorded, settleJob } from './db/queries/settle-job.ts';
import { readUnderWay } from './db/queries/under-way.ts';
import { withdrawCalls } from './db/queries/withdraw-calls.ts';
import { withdrawnEnd } from './domain/frames.ts';
import { Unavailable } from './errors.ts';
import { inTime } from './in-time.ts';
import type { Log } from './log.ts';
import type { Deliveries } from './temporal/deliveries.ts';

/** A call, and the job that was made for it. */
export interface Withdrawable {
  callId: string;
  opensJob: boolean;
  job: { job_id: string };
}

/**
 * Takes calls back that no worker has begun, and their jobs where these were made for them: who was told 503 is not charged
 * for what happens later.
 */
export interface Withdrawals {
  /** False: it has begun, it is not there, or PostgreSQL is away too. */
  withdraw(call: Withdrawable): Promise<boolean>;
  /** Now, or else later. Resolves soon: a 503 waits for nothing. */
  insist(call: Withdrawable): Promise<void>;
  /**
   * In the background, when PostgreSQL is back, and until it has ended what it was told before: a statement that nobody waits
   * for any more may still be carried out.
   */
  later(call: Withdrawable): void;
  close(): Promise<void>;
}

const pauseMs = 500;
/** A statement that was given up is begun by then; less than the 10 s after which a sweep sends what was forgotten. */
const beginsWithinMs = 5_000;
const soonMs = 500;
/** Beyond that they are let go: what was sent to a server that went away is among the first. */
const atMost = 5_000;

interface Waiting {
  call: Withdrawable;
  /** When PostgreSQL first answered, by its clock. */
  answeredAt?: Date;
}

export function createWithdrawals(database: Database, deliveries: Pick<Deliveries, 'start'>, log: Log): Withdrawals {
  const waiting = new Map<string, Waiting>();
  const closing = new AbortController();
  let working: Promise<void> | undefined;

  async function endJob(jobId: string): Promise<void> {
    const end = endAsRecorded(jobId, 'failed', withdrawnEnd.error);
    const settled = await settleJob(database, { ...end, credits: 0, with_call: false });
    deliveries.start(settled?.delivery_ids ?? []);
  }

  /** Which of them it took back. Throws `Unavailable`. */
  async function takeBack(calls: readonly Withdrawable[]): Promise<Set<string>> {
    const withdrawn = await withdrawCalls(
      database,
      calls.map(({ callId }) => callId),
    );
    for (const { callId, opensJob, job } of calls) if (opensJob && withdrawn.has(callId)) await endJob(job.job_id);
    return withdrawn;
  }

  async function round(): Promise<void> {
    const asked = [...waiting.values()];
    // Before they are looked for: a commit may hang for as long as it likes, and what has ended by now is seen.
    const { now, since } = await readUnderWay(database);
    const withdrawn = await takeBack(asked.map(({ call }) => call));
    for (const one of asked) {
      one.answeredAt ??= now;
      const isOver = since.getTime() - one.answeredAt.getTime() > beginsWithinMs;
      if (isOver || withdrawn.has(one.call.callId)) waiting.delete(one.call.callId);
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

  const withdraw = (call: Withdrawable) =>
    takeBack([call]).then(
      (withdrawn) => withdrawn.has(call.callId),
      () => false,
    );

  function later({ callId, opensJob, job: { job_id } }: Withdrawable): void {
    if (waiting.size >= atMost) return;
    waiting.set(callId, { call: { callId, opensJob, job: { job_id } } });
    working ??= work();
  }

  return {
    withdraw,
    later,
    async insist(call) {
      const done = withdraw(call).then((withdrawn) => withdrawn || later(call));
      await inTime(done, soonMs).catch(() => undefined);
    },
    async close() {
      closing.abort();
      await working;
    },
  };
}
