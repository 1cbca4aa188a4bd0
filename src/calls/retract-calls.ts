import { setTimeout as pause } from 'node:timers/promises';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Config } from '../config.ts';
import { retractCalls } from '../db/calls/retract-calls.ts';
import type { Database } from '../db/connection/database.ts';
import type { IdempotentOperation } from '../db/idempotency/idempotency-keys.ts';
import { retractJobs } from '../db/jobs/retract-jobs.ts';
import { endAsRecorded, settleJob } from '../db/jobs/settle-job.ts';
import { settlementBasis } from '../db/jobs/settlement-basis.ts';
import { readOldestTransaction } from '../db/sql/database-clock.ts';
import type { Retraction } from '../db/sql/retracting.ts';
import { callError } from '../domain/call-state.ts';
import { chargeBy } from '../domain/settlement-basis.ts';
import { Unavailable } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ChangePublisher } from '../redis/change-channel.ts';
import type { Deliveries } from '../temporal/commands/deliveries.ts';

/** A call that may have to be retracted, or a job that was to be created without one. */
export type Retractable = RetractableCall | RetractableJob;

export interface RetractableCall {
  callId: string;
  /** The operation of its request, if that has an Idempotency-Key. */
  operation?: IdempotentOperation | undefined;
  /** Its job and team, for the changes that are published. */
  jobId?: string;
  teamId?: string;
  /** The single-call job that was created for the call. */
  singleCallJobId?: string;
}

export interface RetractableJob {
  newJobId: string;
  operation?: IdempotentOperation | undefined;
  teamId: string;
}

const idOf = (one: Retractable): string => ('callId' in one ? one.callId : one.newJobId);

/**
 * Deletes what a client was refused with 503 after it was recorded: calls that no worker has started, with the jobs that were created
 * for them, and new jobs. The client is not charged for what happens later, and no list shows what it was told not to exist.
 */
export interface Retractions {
  /** Retracts what this process has recorded. `unknown`: PostgreSQL is away. */
  retract(one: Retractable): Promise<Retraction | 'unknown'>;
  /** The same, or else later. Resolves within half a second, because a 503 must not wait. */
  retractNowOrLater(one: Retractable): Promise<Retraction | 'unknown'>;
  /**
   * Retracts in the background, once PostgreSQL is back. Retries until every statement that was sent before the outage has
   * finished, because one of them may still insert the call.
   */
  later(one: Retractable): void;
  close(): Promise<void>;
}

const pauseMs = 500;
/** A statement that timed out in the outage has begun by then. Less than the 10 s after which maintenance sends unsent calls. */
const beginsWithinMs = 5_000;
const immediateMs = 500;
/** Further calls are not added: those that may still be inserted were sent before the outage was noticed, and are among the first. */
const maxPending = 5_000;

interface PendingRetraction {
  one: Retractable;
  /** The time by PostgreSQL's clock at which it first answered after the outage. */
  answeredAt?: Date;
}

export interface RetractionDeps {
  database: Database;
  deliveries: Pick<Deliveries, 'start'>;
  changes: ChangePublisher;
  config: Pick<Config, 'USD_PER_CREDIT'>;
  log: Log;
}

export function createRetractions({ database, deliveries, changes, config, log }: RetractionDeps): Retractions {
  const pending = new Map<string, PendingRetraction>();
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  /** Other calls were made in the job, so it stays. Its policy may charge what they answered. */
  async function failJob(jobId: string, teamId: string | undefined): Promise<void> {
    const basis = await settlementBasis(database, jobId);
    if (!basis) return;
    const { charge, billed_by } = chargeBy(basis, 'failed');
    const settled = await settleJob(database, {
      ...endAsRecorded(jobId, 'failed', callError.retracted, 'call'),
      credits: charge.credits,
      billed_by,
      usd_per_credit: config.USD_PER_CREDIT,
    });
    if (teamId) deliveries.start(teamId, settled?.delivery_ids ?? []);
  }

  /** Throws `Unavailable`. */
  async function retractAll(
    all: readonly Retractable[],
    { isOwn }: { isOwn: boolean },
  ): Promise<Map<string, Retraction>> {
    const rowsOf = (some: readonly Retractable[]) => some.map((one) => ({ id: idOf(one), operation: one.operation }));
    const calls = all.filter((one) => 'callId' in one);
    const jobs = all.filter((one) => 'newJobId' in one);
    const ofJobs =
      jobs.length > 0 ? await retractJobs(database, rowsOf(jobs), { isOwn }) : new Map<string, Retraction>();
    for (const { newJobId, teamId } of jobs) if (ofJobs.get(newJobId) === 'retracted') publishEnd(newJobId, teamId);
    if (calls.length === 0) return ofJobs;
    const ofCalls = await retractCalls(database, rowsOf(calls), { isOwn });
    for (const call of calls) {
      const { retraction, is_job_gone } = ofCalls.get(call.callId)!;
      if (retraction !== 'retracted') continue;
      if (call.singleCallJobId && !is_job_gone) await failJob(call.singleCallJobId, call.teamId);
      publish(call, is_job_gone);
    }
    return new Map([...ofJobs, ...[...ofCalls].map(([id, { retraction }]) => [id, retraction] as const)]);
  }

  /** Consoles that show the job read it again, and find that it is gone. */
  const publishEnd = (job_id: string, team_id: string): void =>
    changes.publish('jobs', { job_id, team_id, status: 'failed' });

  function publish(
    { callId: call_id, jobId: job_id, teamId: team_id, singleCallJobId }: RetractableCall,
    isJobGone: boolean,
  ) {
    if (!job_id || !team_id) return;
    changes.publish('calls', { call_id, job_id, team_id, status: 'retracted' });
    if (singleCallJobId || isJobGone) publishEnd(job_id, team_id);
  }

  async function round(): Promise<void> {
    const all = [...pending.values()];
    // The oldest open transaction is read first: what commits after this is found in the next round.
    const { now, since } = await readOldestTransaction(database);
    const retractions = await retractAll(
      all.map(({ one }) => one),
      { isOwn: false },
    );
    for (const retraction of all) {
      retraction.answeredAt ??= now;
      const isExpired = since.getTime() - retraction.answeredAt.getTime() > beginsWithinMs;
      const id = idOf(retraction.one);
      if (isExpired || retractions.get(id) === 'retracted') pending.delete(id);
    }
  }

  async function runRounds(): Promise<void> {
    while (pending.size > 0 && !closing.signal.aborted) {
      await round().catch((error: unknown) => {
        if (error instanceof Unavailable) return;
        log.error({ err: error }, 'retractions: round failed');
        pending.clear();
      });
      if (pending.size > 0) await pause(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    running = undefined;
  }

  const retract = (one: Retractable): Promise<Retraction | 'unknown'> =>
    retractAll([one], { isOwn: true }).then(
      (retractions) => retractions.get(idOf(one)) ?? 'missing',
      () => 'unknown',
    );

  function later(one: Retractable): void {
    if (pending.size >= maxPending) return;
    pending.set(idOf(one), { one });
    running ??= runRounds();
  }

  return {
    retract,
    later,
    async retractNowOrLater(one) {
      const retracting = retract(one).then((retraction) => {
        if (retraction === 'missing' || retraction === 'unknown') later(one);
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
