import { setTimeout as pause } from 'node:timers/promises';
import { withTimeout } from '../concurrency/with-timeout.ts';
import { type Retraction, retractCalls } from '../db/calls/retract-calls.ts';
import type { Database } from '../db/connection/database.ts';
import type { IdempotentOperation } from '../db/idempotency/idempotency-keys.ts';
import { endAsRecorded, settleJob } from '../db/jobs/settle-job.ts';
import { readOldestTransaction } from '../db/sql/database-clock.ts';
import { callError } from '../domain/call-state.ts';
import { Unavailable } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ChangePublisher } from '../redis/change-channel.ts';
import type { Deliveries } from '../temporal/commands/deliveries.ts';

/** A call that may have to be retracted. */
export interface Retractable {
  callId: string;
  /** The operation of its request, if that has an Idempotency-Key. */
  operation?: IdempotentOperation | undefined;
  /** Its job and team, for the changes that are published. */
  jobId?: string;
  teamId?: string;
  /** The single-call job that was created for the call. */
  singleCallJobId?: string;
}

/**
 * Retracts calls that no worker has started, with the jobs that were created for them: a client that received a 503 is not
 * charged for what happens later.
 */
export interface Retractions {
  /** Retracts a call of this process. `unknown`: PostgreSQL is away. */
  retract(call: Retractable): Promise<Retraction | 'unknown'>;
  /** The same, or else later. Resolves within half a second, because a 503 must not wait. */
  retractNowOrLater(call: Retractable): Promise<Retraction | 'unknown'>;
  /**
   * Retracts in the background, once PostgreSQL is back. Retries until every statement that was sent before the outage has
   * finished, because one of them may still insert the call.
   */
  later(call: Retractable): void;
  close(): Promise<void>;
}

const pauseMs = 500;
/** A statement that timed out in the outage has begun by then. Less than the 10 s after which maintenance sends unsent calls. */
const beginsWithinMs = 5_000;
const immediateMs = 500;
/** Further calls are not added: those that may still be inserted were sent before the outage was noticed, and are among the first. */
const maxPending = 5_000;

interface PendingRetraction {
  call: Retractable;
  /** The time by PostgreSQL's clock at which it first answered after the outage. */
  answeredAt?: Date;
}

export interface RetractionDeps {
  database: Database;
  deliveries: Pick<Deliveries, 'start'>;
  changes: ChangePublisher;
  log: Log;
}

export function createRetractions({ database, deliveries, changes, log }: RetractionDeps): Retractions {
  const pending = new Map<string, PendingRetraction>();
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  async function failJob(jobId: string, teamId: string | undefined): Promise<void> {
    const end = endAsRecorded(jobId, 'failed', callError.retracted, 'call');
    const settled = await settleJob(database, { ...end, credits: 0, with_call: false });
    if (teamId) deliveries.start(teamId, settled?.delivery_ids ?? []);
  }

  /** Throws `Unavailable`. */
  async function retractAll(
    calls: readonly Retractable[],
    { isOwn }: { isOwn: boolean },
  ): Promise<Map<string, Retraction>> {
    const rows = calls.map(({ callId, operation }) => ({ call_id: callId, operation }));
    const retractions = await retractCalls(database, rows, { isOwn });
    for (const call of calls) {
      if (retractions.get(call.callId) !== 'retracted') continue;
      if (call.singleCallJobId) await failJob(call.singleCallJobId, call.teamId);
      publish(call);
    }
    return retractions;
  }

  function publish({ callId: call_id, jobId: job_id, teamId: team_id, singleCallJobId }: Retractable): void {
    if (!job_id || !team_id) return;
    changes.publish('calls', { call_id, job_id, team_id, status: 'retracted' });
    if (singleCallJobId) changes.publish('jobs', { job_id, team_id, status: 'failed' });
  }

  async function round(): Promise<void> {
    const all = [...pending.values()];
    // The oldest open transaction is read first: what commits after this is found in the next round.
    const { now, since } = await readOldestTransaction(database);
    const retractions = await retractAll(
      all.map(({ call }) => call),
      { isOwn: false },
    );
    for (const one of all) {
      one.answeredAt ??= now;
      const isExpired = since.getTime() - one.answeredAt.getTime() > beginsWithinMs;
      if (isExpired || retractions.get(one.call.callId) === 'retracted') pending.delete(one.call.callId);
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

  const retract = (call: Retractable): Promise<Retraction | 'unknown'> =>
    retractAll([call], { isOwn: true }).then(
      (retractions) => retractions.get(call.callId) ?? 'missing',
      () => 'unknown',
    );

  function later(call: Retractable): void {
    if (pending.size >= maxPending) return;
    pending.set(call.callId, { call });
    running ??= runRounds();
  }

  return {
    retract,
    later,
    async retractNowOrLater(call) {
      const retracting = retract(call).then((retraction) => {
        if (retraction === 'missing' || retraction === 'unknown') later(call);
        return retraction;
      });
      return withTimeout(retracting, immediateMs).catch(() => 'unknown' as const);
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}
