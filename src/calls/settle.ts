import type { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/connection/database.ts';
import { endAsRecorded, type Settlement, settleJob } from '../db/jobs/settle-job.ts';
import { mayPublishCredits } from '../domain/credit-events.ts';
import type { JobResult } from '../domain/job-state.ts';
import { chargeBy, type SettlementBasis } from '../domain/settlement-basis.ts';
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

/**
 * Ends a job and charges for it, once; a repetition returns the stored end. Undefined: the job was to end with its call, but
 * it has received another command.
 */
export async function settle(
  deps: SettlingDeps,
  settlement: Omit<Settlement, 'credits' | 'billed_by'>,
  basis: SettlementBasis,
): Promise<JobResult | undefined> {
  const { charge, billed_by, terms } = chargeBy(basis, settlement.status);
  const { credits } = charge;
  const usd_per_credit = deps.config.USD_PER_CREDIT;
  const settled = await deps.settlementSemaphore
    .run(basis.team_id, () => settleJob(deps.database, { ...settlement, credits, billed_by, usd_per_credit }))
    .catch((error: unknown) => {
      deps.metrics.settlementRetries.inc();
      throw error;
    });
  if (!settled) return undefined;
  const { delivery_ids, is_exhausted, completed_at, ended_now, credits_charged, ...result } = settled;
  const { team_id } = basis;
  deps.deliveries.start(team_id, delivery_ids);
  const credits_after = result.credits_remaining;
  const hasLowered = ended_now && result.credit_applied;
  const change = { credits_before: credits_after + credits_charged, credits_after };
  if (is_exhausted || (hasLowered && mayPublishCredits(change, basis.credit_thresholds)))
    deps.deliveries.startNew(team_id);
  deps.changes.publish('jobs', { job_id: settlement.job_id, team_id, status: result.status });
  if (result.credit_applied) deps.changes.publish('teams', { team_id });
  if (ended_now) deps.metrics.jobs.inc({ status: result.status });
  if (ended_now && result.credit_applied) deps.metrics.credits.inc(credits_charged);
  const superseded_calls = terms?.facts.superseded ?? 0;
  const withTerms = terms && { terms: { price_credits: charge.price, credits_charged, superseded_calls } };
  return { ...result, completed_at: completed_at.toISOString(), ...withTerms };
}

/** How the call of a single-call job has ended. `isUnshown`: it was stopped before a token was shown. */
export interface EndOfCall {
  error: string | null;
  isUnshown: boolean;
}

/** Ends a single-call job before the end of its call is published. Undefined: the job has received another command. */
export function settleWithCall(
  deps: SettlingDeps,
  jobId: string,
  { error, isUnshown }: EndOfCall,
  basis: SettlementBasis,
): Promise<JobResult | undefined> {
  const status = error !== null ? 'failed' : isUnshown ? 'cancelled' : 'completed';
  return settle(deps, { ...endAsRecorded(jobId, status, error, 'call'), with_call: true }, basis);
}
