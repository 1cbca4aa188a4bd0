import { type AttemptRow, listAttempts } from '../../db/calls/list-attempts.ts';
import { type CallRow, listCallCosts } from '../../db/calls/list-call-costs.ts';
import { findBalance } from '../../db/credits/find-balance.ts';
import { type FoundJob, findJob, type JobRow, termsOfCosts } from '../../db/jobs/find-job.ts';
import { settlementBasis } from '../../db/jobs/settlement-basis.ts';
import { isFinished, type TermsOfCosts } from '../../domain/job-state.ts';
import { chargeBy } from '../../domain/settlement-basis.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';
import { getJobForCaller } from './get-job.ts';

interface Costs {
  job: FoundJob;
  /** The calls that have ended, in the order in which they were made. */
  calls: CallRow[];
  /** The team's credits: those after the end of the job, or of an open job those of now. */
  balance: number;
  /** Undefined: the price and the policy are the default. */
  terms?: TermsOfCosts | undefined;
}

/** A team sees neither the concrete models nor the attempts at them: they are undefined for it. `spec 3.9` */
export interface JobCosts extends Costs {
  attempts: AttemptRow[] | undefined;
}

/** What a job has cost, call by call. */
export async function readCosts(context: ServiceContext, jobId: string): Promise<JobCosts> {
  const { deps, caller } = context;
  const costs = await readConsistently(deps, await getJobForCaller(context, jobId));
  // The attempts are read after the calls, because those of each are recorded with its end.
  const attempts = caller.kind === 'team' ? undefined : await listAttempts(deps.database, costs.job.job_id);
  return { ...costs, ...(await readTerms(deps, costs.job)), attempts };
}

/** Of an open job, what it would be charged by if it were completed now. */
async function readTerms({ database }: ServiceDeps, job: JobRow): Promise<Pick<Costs, 'terms'>> {
  if (isFinished(job.status)) return termsOfCosts(job);
  if (job.price_credits === null && job.billing_policy === null) return {};
  const basis = await settlementBasis(database, job.job_id);
  if (!basis) return {};
  const { charge, terms } = chargeBy(basis, 'completed');
  const superseded_calls = terms?.facts.superseded ?? 0;
  return { terms: { price_credits: charge.price, credits_charged: 0, superseded_calls } };
}

/** Reads consistently in several queries: an ended job stays as it is, and an open one has charged nothing. */
async function readConsistently(deps: ServiceDeps, job: FoundJob): Promise<Costs> {
  const [calls, balance] = await Promise.all([
    listCallCosts(deps.database, job.job_id),
    job.credits_remaining ?? findBalance(deps.database, job.team_id),
  ]);
  if (isFinished(job.status)) return { job, calls, balance };
  const later = (await findJob(deps.database, job.job_id)) ?? job;
  return isFinished(later.status) ? readConsistently(deps, later) : { job: later, calls, balance };
}
