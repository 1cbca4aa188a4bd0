import type { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import type { Config } from '../config.ts';
import type { FinishedCall, FinishedRow } from '../db/calls/finish-call.ts';
import { finishCallAndJob } from '../db/calls/finish-call-and-job.ts';
import type { Database, Queries } from '../db/connection/database.ts';
import { endAsRecorded, type Settled, type Settlement, settleJob } from '../db/jobs/settle-job.ts';
import { mayPublishCredits } from '../domain/credit-events.ts';
import type { JobResult } from '../domain/job-state.ts';
import { basisOfOnlyCall, chargeBy, type JobBilling, type SettlementBasis } from '../domain/settlement-basis.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ChangePublisher } from '../redis/change-channel.ts';
import type { Deliveries } from '../temporal/commands/deliveries.ts';

export interface SettlingDeps {
  config: Pick<Config, 'USD_PER_CREDIT'>;
  database: Database;
  metrics: Metrics;
  changes: Pick<ChangePublisher, 'publish'>;
  deliveries: Pick<Deliveries, 'start' | 'startNew'>;
  /** Limits the settlements that run at once, by team. */
  settlementSemaphore: Pick<FairSemaphore, 'run'>;
}

type End = Omit<Settlement, 'credits' | 'billed_by'>;

/** A job that has ended, and what decided its charge. */
export interface SettledJob {
  settled: Settled;
  basis: SettlementBasis;
}

function withCharge({ config }: Pick<SettlingDeps, 'config'>, end: End, basis: SettlementBasis): Settlement {
  const { charge, billed_by } = chargeBy(basis, end.status);
  return { ...end, credits: charge.credits, billed_by, usd_per_credit: config.USD_PER_CREDIT };
}

/** Limits the settlements of a team that run at once. */
export const settleInTurn = <T>(
  deps: Pick<SettlingDeps, 'metrics' | 'settlementSemaphore'>,
  teamId: string,
  settling: () => Promise<T>,
): Promise<T> =>
  deps.settlementSemaphore.run(teamId, settling).catch((error: unknown) => {
    deps.metrics.settlementRetries.inc();
    throw error;
  });

/** Ends a job and charges for it, once; a repetition returns the stored end. */
export async function settle(deps: SettlingDeps, end: End, basis: SettlementBasis): Promise<JobResult | undefined> {
  const settlement = withCharge(deps, end, basis);
  const settled = await settleInTurn(deps, basis.team_id, () => settleJob(deps.database, settlement));
  return settled && publishSettled(deps, end.job_id, { settled, basis });
}

/** A job that is to end with its only call. */
export interface JobOfCall {
  job_id: string;
  billing: JobBilling;
  /** The call was stopped before a token was shown. */
  isUnshown: boolean;
}

/**
 * Records the end of a call and of the job that ends with it, which is not published yet. Undefined: another attempt has the call.
 * `job` is undefined where the job is left to its workflow: it has received another command, or is billed in another way than when
 * the call started.
 */
export async function finishWithJob(
  deps: Pick<SettlingDeps, 'config'> & { database: Queries },
  call: FinishedCall,
  { job_id, billing, isUnshown }: JobOfCall,
): Promise<(FinishedRow & { job: SettledJob | undefined }) | undefined> {
  const basis = basisOfOnlyCall(billing, call);
  const status = call.error !== null ? 'failed' : isUnshown ? 'cancelled' : 'completed';
  const settlement = withCharge(deps, endAsRecorded(job_id, status, call.error, 'call'), basis);
  const finished = await finishCallAndJob(deps.database, call, settlement, billing);
  if (!finished) return undefined;
  const { settled, ...row } = finished;
  return { ...row, job: settled && { settled, basis } };
}

/** Publishes the end of a job, and returns it as its clients receive it. */
export function publishSettled(
  deps: Pick<SettlingDeps, 'changes' | 'deliveries' | 'metrics'>,
  job_id: string,
  { settled, basis }: SettledJob,
): JobResult {
  const { delivery_ids, is_exhausted, completed_at, ended_now, credits_charged, ...result } = settled;
  const { team_id } = basis;
  deps.deliveries.start(team_id, delivery_ids);
  const credits_after = result.credits_remaining;
  const hasLowered = ended_now && result.credit_applied;
  const change = { credits_before: credits_after + credits_charged, credits_after };
  if (is_exhausted || (hasLowered && mayPublishCredits(change, basis.credit_thresholds)))
    deps.deliveries.startNew(team_id);
  deps.changes.publish('jobs', { job_id, team_id, status: result.status });
  if (result.credit_applied) deps.changes.publish('teams', { team_id });
  if (ended_now) deps.metrics.jobs.inc({ status: result.status });
  if (ended_now && result.credit_applied) deps.metrics.credits.inc(credits_charged);
  const { charge, terms } = chargeBy(basis, result.status);
  const superseded_calls = terms?.facts.superseded ?? 0;
  const withTerms = terms && { terms: { price_credits: charge.price, credits_charged, superseded_calls } };
  return { ...result, completed_at: completed_at.toISOString(), ...withTerms };
}
