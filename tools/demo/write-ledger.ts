import { billingAt, decideCharge, defaultRates } from '../../src/domain/credits.ts';
import { sumOf } from '../../src/domain/pricing.ts';
import { dayMs } from '../../src/domain/time/buckets.ts';
import type { InventedJob } from './invent-jobs.ts';
import type { Random } from './random.ts';
import type { DemoTeam } from './story.ts';

/** A row of the ledger; `at` decides the order. */
export interface LedgerRow {
  transaction_id: string;
  transaction_type: 'allocation' | 'deduction' | 'refund';
  job_id: string | null;
  credits_amount: number;
  credits_before: number;
  credits_after: number;
  reason: string;
  created_at: Date;
}

/** What a job was charged, and the balance when it ended. */
export interface Charged {
  credits: number;
  remaining: number;
}

export interface Ledger {
  rows: LedgerRow[];
  charges: Map<string, Charged>;
  allocated: number;
  /** Deducted less refunded. */
  used: number;
  refunds: Map<string, number>;
}

export const rateOfTeam = ({ budget_mode }: DemoTeam): string | null => {
  if (budget_mode === 'consumption_usd') return defaultRates.creditsPerDollar;
  return budget_mode === 'consumption_tokens' ? String(defaultRates.tokensPerCredit) : null;
};

const tokensOf = ({ calls }: InventedJob): number =>
  calls.flatMap(({ attempts }) => attempts).reduce((sum, one) => sum + one.prompt_tokens + one.completion_tokens, 0);

const costOf = ({ calls }: InventedJob): string =>
  sumOf(calls.flatMap(({ attempts }) => attempts.map(({ cost_usd }) => cost_usd)));

type Moment = { at: Date; write(): void };

/** The allocations, charges and refunds of a team in the order of their times, by the rule that charges jobs. Pure. */
export function writeLedger(team: DemoTeam, jobs: InventedJob[], until: Date, random: Random): Ledger {
  const ledger: Ledger = { rows: [], charges: new Map(), allocated: 0, used: 0, refunds: new Map() };
  const balance = () => ledger.allocated - ledger.used;
  const add = (row: Pick<LedgerRow, 'transaction_type' | 'job_id' | 'credits_amount' | 'reason' | 'created_at'>) => {
    const before = balance();
    if (row.transaction_type === 'allocation') ledger.allocated += row.credits_amount;
    else ledger.used += row.transaction_type === 'refund' ? -row.credits_amount : row.credits_amount;
    ledger.rows.push({ transaction_id: random.uuid(), credits_before: before, credits_after: balance(), ...row });
  };
  const charge = (job: InventedJob) => {
    const failedCalls = job.calls.filter(({ error }) => error !== null).length;
    const finished = { status: job.status, failedCalls, totalTokens: tokensOf(job), totalCostUsd: costOf(job) };
    const { credits: price } = decideCharge(finished, billingAt(team.budget_mode, rateOfTeam(team)));
    const credits = team.credit_limit === null || price <= balance() ? price : 0;
    if (credits > 0)
      add({
        transaction_type: 'deduction',
        job_id: job.job_id,
        credits_amount: credits,
        reason: 'Job completed',
        created_at: job.completed_at,
      });
    ledger.charges.set(job.job_id, { credits, remaining: balance() });
  };
  const refund = ({ job_id }: InventedJob, created_at: Date) => {
    const { credits } = ledger.charges.get(job_id)!;
    if (credits === 0) return;
    add({ transaction_type: 'refund', job_id, credits_amount: credits, reason: 'The answer was wrong', created_at });
    ledger.refunds.set(job_id, credits);
  };
  const allocations = team.allocations.map(({ daysAgo, credits, reason }): Moment => {
    const at = new Date(until.getTime() - daysAgo * dayMs - dayMs / 2);
    const row = {
      transaction_type: 'allocation',
      job_id: null,
      credits_amount: credits,
      reason,
      created_at: at,
    } as const;
    return { at, write: () => add(row) };
  });
  const charges = jobs.map((job): Moment => ({ at: job.completed_at, write: () => charge(job) }));
  const refunds = jobs.flatMap((job): Moment[] => {
    const at = job.refunded_at;
    return at && at < until ? [{ at, write: () => refund(job, at) }] : [];
  });
  const moments = [...allocations, ...charges, ...refunds].sort((one, other) => one.at.getTime() - other.at.getTime());
  for (const { write } of moments) write();
  return ledger;
}
