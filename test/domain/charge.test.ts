import { type BillingPolicy, billingPolicies, type CallFacts } from '../../src/domain/billing-policy.ts';
import { decideCharge } from '../../src/domain/charge.ts';
import type { Billing } from '../../src/domain/credits.ts';
import { type FinalJobStatus, finalJobStatuses } from '../../src/domain/job-state.ts';

const byJob: Billing = { budgetMode: 'job_based', tokensPerCredit: null, creditsPerDollar: null };
const none: CallFacts = { superseded: 0, unexcused: 0, answered: 0 };
const totals = { totalTokens: 100, totalCostUsd: '0.02' };

const jobWith = (status: FinalJobStatus, policy: BillingPolicy, failedCalls: number, facts: Partial<CallFacts>) => ({
  ...totals,
  status,
  failedCalls,
  terms: { priceCredits: 5, policy, facts: { ...none, ...facts } },
});

/** What each policy charges, in the order of `billingPolicies`. */
test.each<[string, FinalJobStatus, number, Partial<CallFacts>, [string, string, string, string]]>([
  ['completed without a failed call', 'completed', 0, { answered: 2 }, ['price', 'price', 'price', 'price']],
  ['completed without any call', 'completed', 0, {}, ['price', 'price', 'price', 'failed_calls']],
  [
    'completed, with a superseded call',
    'completed',
    1,
    { answered: 1, superseded: 1 },
    ['failed_calls', 'price', 'price', 'price'],
  ],
  ['completed, with its own mistake', 'completed', 1, { answered: 1 }, ['failed_calls', 'price', 'price', 'price']],
  [
    'completed, with a failure after a superseded one',
    'completed',
    2,
    { answered: 1, superseded: 1, unexcused: 1 },
    ['failed_calls', 'failed_calls', 'price', 'price'],
  ],
  [
    'completed, with failures only',
    'completed',
    1,
    { unexcused: 1 },
    ['failed_calls', 'failed_calls', 'price', 'failed_calls'],
  ],
  ['failed after an answer', 'failed', 0, { answered: 1 }, ['failed', 'failed', 'failed', 'price']],
  ['failed without an answer', 'failed', 1, { unexcused: 1 }, ['failed', 'failed', 'failed', 'failed']],
  ['cancelled after an answer', 'cancelled', 0, { answered: 1 }, ['cancelled', 'cancelled', 'cancelled', 'price']],
  ['cancelled without an answer', 'cancelled', 0, {}, ['cancelled', 'cancelled', 'cancelled', 'cancelled']],
])('a job that is %s is charged by the policies as they say (spec 21.1)', (_, status, failed, facts, expected) => {
  const rules = billingPolicies.map((policy) => decideCharge(jobWith(status, policy, failed, facts), byJob).rule);

  expect(rules).toEqual(expected);
});

test.each(finalJobStatuses)('a %s job with the default price and policy is charged as one without terms', (status) => {
  const job = { ...totals, status, failedCalls: 0 };
  const terms = { priceCredits: 1, policy: 'strict', facts: none } as const;

  expect(decideCharge({ ...job, terms }, byJob)).toEqual(decideCharge(job, byJob));
});

test.each([
  [0, 'price_zero', 0],
  [1, 'price', 1],
  [1_000_000, 'price', 1_000_000],
])('a job with a price of %i credits ends by the rule %s and costs %i (spec 21.4)', (priceCredits, rule, credits) => {
  const job = { ...totals, status: 'completed', failedCalls: 0 } as const;
  const terms = { priceCredits, policy: 'strict', facts: none } as const;

  expect(decideCharge({ ...job, terms }, byJob)).toEqual({ credits, rule, price: priceCredits });
});

test.each(['consumption_usd', 'consumption_tokens'] as const)(
  'the mode %s ignores the price of a job (spec 21.4)',
  (budgetMode) => {
    const job = { ...totals, status: 'completed', failedCalls: 0 } as const;
    const terms = { priceCredits: 0, policy: 'strict', facts: none } as const;

    expect(decideCharge({ ...job, terms }, { ...byJob, budgetMode })).toEqual(
      decideCharge(job, { ...byJob, budgetMode }),
    );
  },
);
