import fc from 'fast-check';
import { type BillingPolicy, billingPolicies } from '../../src/domain/billing-policy.ts';
import { decideCharge } from '../../src/domain/charge.ts';
import { type Billing, billingAt, budgetModes, maxBalance, rateOf } from '../../src/domain/credits.ts';
import { explainCharge, type JobToExplain } from '../../src/domain/explain-charge.ts';
import { finalJobStatuses, jobEnders, jobStatuses } from '../../src/domain/job-state.ts';

const byJob: Billing = { budgetMode: 'job_based', tokensPerCredit: null, creditsPerDollar: null };
const byUsd: Billing = { ...byJob, budgetMode: 'consumption_usd', creditsPerDollar: '10' };
const byTokens: Billing = { ...byJob, budgetMode: 'consumption_tokens', tokensPerCredit: 1_000 };

const jobWith = (fields: Partial<JobToExplain> = {}): JobToExplain => ({
  status: 'completed',
  endedBy: 'client',
  cancelledBy: null,
  isSingleCall: false,
  totalCalls: 2,
  failedCalls: 0,
  totalTokens: 12_345,
  totalCostUsd: '0.250',
  firstFailedCall: null,
  billing: byJob,
  creditsRemaining: 4,
  creditLimit: 5,
  creditsAvailable: fields.creditsRemaining ?? 4,
  creditsHeld: null,
  creditsCharged: 0,
  errorMessage: null,
  cancelReason: null,
  refund: null,
  ...fields,
});
const open = { status: 'in_progress', endedBy: null } as const;
const failure = { failedCalls: 1, firstFailedCall: { position: 2, purpose: 'draft' } };
const refund = { credits: 1, at: '2026-02-01T10:00:00.000Z', reason: 'Wrong report' };

test.each<[string, Partial<JobToExplain>, ReturnType<typeof explainCharge>['rule'], string]>([
  [
    'open',
    open,
    'open',
    'Not charged so far, because the job is open. Completed now, it would cost 1 credit: each completed job of the team costs 1 credit.',
  ],
  [
    'open, and too dear for the balance',
    { ...open, billing: byTokens },
    'open',
    'Not charged so far, because the job is open. Completed now, it would cost 13 credits: its calls took 12,345 tokens, which at 1,000 tokens per credit, rounded up and at least 1, is 13 credits, but the team has only 4 credits left, and the job would be free.',
  ],
  [
    'open with a failed call',
    { ...open, ...failure },
    'open',
    'Not charged: call 2 (draft) failed, and a job with a failed call is free, however it ends.',
  ],
  [
    'open with a price that no balance holds',
    { ...open, billing: { ...byUsd, creditsPerDollar: '1e12' } },
    'open',
    'Not charged so far, because the job is open. Completed now, it would be free: a price of 250,000,000,000 credits is more than a balance can hold, which is 2,147,483,647.',
  ],
  [
    'failed by its client',
    { status: 'failed', errorMessage: 'no data' },
    'failed',
    'Not charged: its client ended the job as failed: “no data”, and only completed jobs are charged.',
  ],
  [
    'failed with its only call',
    { status: 'failed', endedBy: 'call', isSingleCall: true, errorMessage: 'timeout', ...failure },
    'failed',
    'Not charged: the job failed with its only call: “timeout”, and only completed jobs are charged.',
  ],
  [
    'idle for too long',
    { status: 'failed', endedBy: 'idle', errorMessage: 'Job timed out' },
    'failed',
    'Not charged: the job failed, because it had no call and no update for its idle time, and only completed jobs are charged.',
  ],
  [
    'without its workflow',
    { status: 'failed', endedBy: 'service', errorMessage: "The job's workflow was terminated" },
    'failed',
    "Not charged: the service ended the job as failed, because its workflow was lost: “The job's workflow was terminated”, and only completed jobs are charged.",
  ],
  [
    'ended in Temporal',
    { status: 'failed', endedBy: 'operator', errorMessage: 'The job was ended in Temporal' },
    'failed',
    'Not charged: the job was ended in Temporal, without a command of its client, and only completed jobs are charged.',
  ],
  [
    'cancelled by its team',
    { status: 'cancelled', cancelReason: 'not needed' },
    'cancelled',
    'Not charged: the job was cancelled by its team: “not needed”, and only completed jobs are charged.',
  ],
  [
    'cancelled by an admin',
    { status: 'cancelled', endedBy: 'admin', cancelledBy: 'ann@example.com' },
    'cancelled',
    'Not charged: the job was cancelled by the administrator ann@example.com, and only completed jobs are charged.',
  ],
  [
    'cancelled by an admin whose name is not shown',
    { status: 'cancelled', endedBy: 'admin' },
    'cancelled',
    'Not charged: the job was cancelled by an administrator, and only completed jobs are charged.',
  ],
  [
    'cancelled in Temporal',
    { status: 'cancelled', endedBy: 'operator', cancelReason: 'cancelled by an operator' },
    'cancelled',
    'Not charged: the job was cancelled by an operator, in Temporal, and only completed jobs are charged.',
  ],
  [
    'completed with a failed call',
    failure,
    'failed_calls',
    'Not charged: the job was completed, but call 2 (draft) failed, and a job with a failed call is free.',
  ],
  [
    'completed with several failed calls',
    { ...failure, totalCalls: 5, failedCalls: 3 },
    'failed_calls',
    'Not charged: the job was completed, but 3 of its 5 calls failed, the first of them call 2 (draft), and a job with a failed call is free.',
  ],
  [
    'dearer than a balance can hold',
    { billing: { ...byUsd, creditsPerDollar: '10000000000' } },
    'price_too_high',
    'Not charged: the job was completed, and its calls cost 0.25 USD, which at 10000000000 credits per USD, rounded up and at least 1, is 2,500,000,000 credits, but a price of 2,500,000,000 credits is more than a balance can hold, which is 2,147,483,647.',
  ],
  [
    'too dear for a fixed budget',
    { billing: byUsd, creditsRemaining: 2 },
    'balance_too_low',
    'Not charged: the job was completed without a failed call, and its calls cost 0.25 USD, which at 10 credits per USD, rounded up and at least 1, is 3 credits, but the team had 2 credits left of its fixed budget.',
  ],
  [
    'too dear for an unlimited budget',
    { creditsRemaining: -maxBalance, creditLimit: null },
    'balance_too_low',
    'Not charged: the job was completed without a failed call, and each completed job of the team costs 1 credit, but the balance of -2,147,483,647 credits could not take that.',
  ],
  [
    'completed and charged',
    { creditsCharged: 1 },
    'charged',
    'Charged 1 credit: the job was completed without a failed call, and each completed job of the team costs 1 credit. The team had 5 credits before and 4 credits after.',
  ],
  [
    'charged by its cost',
    { billing: byUsd, creditsCharged: 3 },
    'charged',
    'Charged 3 credits: the job was completed without a failed call, and its calls cost 0.25 USD, which at 10 credits per USD, rounded up and at least 1, is 3 credits. The team had 7 credits before and 4 credits after.',
  ],
  [
    'charged by a cost with the error of a floating-point number',
    { billing: { ...byUsd, creditsPerDollar: '10.0' }, totalCostUsd: '0.000027599999999999999997', creditsCharged: 1 },
    'charged',
    'Charged 1 credit: the job was completed without a failed call, and its calls cost 0.0000276 USD, which at 10 credits per USD, rounded up and at least 1, is 1 credit. The team had 5 credits before and 4 credits after.',
  ],
  [
    'charged by a cost whose last digit decides',
    { billing: byUsd, totalCostUsd: '0.20000000000000001', creditsCharged: 3 },
    'charged',
    'Charged 3 credits: the job was completed without a failed call, and its calls cost 0.20000000000000001 USD, which at 10 credits per USD, rounded up and at least 1, is 3 credits. The team had 7 credits before and 4 credits after.',
  ],
  [
    'charged by its tokens',
    { billing: byTokens, creditsCharged: 13 },
    'charged',
    'Charged 13 credits: the job was completed without a failed call, and its calls took 12,345 tokens, which at 1,000 tokens per credit, rounded up and at least 1, is 13 credits. The team had 17 credits before and 4 credits after.',
  ],
  [
    'completed without a call',
    { totalCalls: 0, creditsCharged: 1 },
    'charged',
    'Charged 1 credit: the job was completed without any call, and each completed job of the team costs 1 credit. The team had 5 credits before and 4 credits after.',
  ],
  [
    'a single call',
    { endedBy: 'call', isSingleCall: true, totalCalls: 1, creditsCharged: 1 },
    'charged',
    'Charged 1 credit: its only call succeeded, and each completed job of the team costs 1 credit. The team had 5 credits before and 4 credits after.',
  ],
  [
    'completed by one of its calls',
    { endedBy: 'call', creditsCharged: 1 },
    'charged',
    'Charged 1 credit: the job was completed with a call, without a failed call, and each completed job of the team costs 1 credit. The team had 5 credits before and 4 credits after.',
  ],
  [
    'completed after its idle time',
    { endedBy: 'idle', creditsCharged: 1 },
    'charged',
    'Charged 1 credit: the job was completed without a failed call, after its last answer, because nothing followed for its idle time, and each completed job of the team costs 1 credit. The team had 5 credits before and 4 credits after.',
  ],
  [
    'charged and refunded',
    { creditsCharged: 1, refund },
    'refunded',
    'Charged 1 credit: the job was completed without a failed call, and each completed job of the team costs 1 credit. The team had 5 credits before and 4 credits after. Refunded 1 credit on 2026-02-01T10:00:00.000Z: “Wrong report”.',
  ],
])('the verdict of a job that is %s has the charge and its reason (spec 19.25)', (_, fields, rule, sentence) => {
  expect(explainCharge(jobWith(fields))).toMatchObject({ rule, sentence, charged: (fields.creditsCharged ?? 0) > 0 });
});

const anyBilling = fc.record({
  budgetMode: fc.constantFrom(...budgetModes),
  tokensPerCredit: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
  creditsPerDollar: fc.option(fc.integer({ min: 1, max: 1_000_000 }).map((rate) => `${rate / 1_000}`)),
});

const anyTerms = fc.option(
  fc.record({
    priceCredits: fc.nat(3),
    policy: fc.constantFrom(...billingPolicies),
    facts: fc.record({ superseded: fc.nat(2), unexcused: fc.nat(2), answered: fc.nat(2) }),
  }),
  { nil: undefined },
);

test('any verdict has a whole sentence, and the rule and the price by which the job was charged (spec 19.25)', () => {
  const anyJob = fc.record({
    status: fc.constantFrom(...jobStatuses),
    endedBy: fc.option(fc.constantFrom(...jobEnders)),
    isSingleCall: fc.boolean(),
    totalCalls: fc.nat(5_000),
    failedCalls: fc.nat(3),
    totalTokens: fc.nat(),
    totalCostUsd: fc.nat().map((cost) => `${cost / 1_000}`),
    billing: anyBilling,
    terms: anyTerms,
    creditsRemaining: fc.integer(),
    creditLimit: fc.option(fc.nat()),
  });
  fc.assert(
    fc.property(anyJob, fc.boolean(), (fields, canPay) => {
      const isEnded = (finalJobStatuses as readonly string[]).includes(fields.status);
      const decided = decideCharge(
        { ...fields, status: isEnded ? (fields.status as 'failed') : 'completed' },
        fields.billing,
      );
      const creditsCharged = isEnded && canPay ? decided.credits : 0;

      const verdict = explainCharge(jobWith({ ...fields, creditsCharged }));

      expect(verdict.price).toBe(decided.price);
      expect(verdict.credits).toBe(creditsCharged);
      expect(verdict.sentence).toMatch(/^(Charged|Not charged).*[.]$/);
      expect(verdict.sentence).not.toMatch(/undefined|null|NaN|\s\s/);
      if (isEnded && decided.credits > 0) expect(verdict.rule).toBe(canPay ? 'charged' : 'balance_too_low');
      if (isEnded && decided.credits === 0) expect(verdict.rule).toBe(decided.rule);
    }),
  );
});

const termsOf = (policy: BillingPolicy, facts = {}) => ({
  priceCredits: 3,
  policy,
  facts: { superseded: 0, unexcused: 0, answered: 1, ...facts },
});

test.each<[string, Partial<JobToExplain>, string]>([
  [
    'is charged under superseded_ok',
    { ...failure, terms: termsOf('superseded_ok', { superseded: 1 }), creditsCharged: 3 },
    'Charged 3 credits: the job was completed although 1 call failed, as its policy “superseded_ok” permits, and the price of the job is 3 credits. The team had 7 credits before and 4 credits after.',
  ],
  [
    'is free under superseded_ok',
    { ...failure, terms: termsOf('superseded_ok', { unexcused: 1 }) },
    "Not charged: the job was completed, but call 2 (draft) failed, and it has a failed call that is neither superseded nor its caller's own mistake.",
  ],
  [
    'is charged under answered although it was cancelled',
    { status: 'cancelled', terms: termsOf('answered'), creditsCharged: 3 },
    'Charged 3 credits: the job was cancelled by its team, but 1 of its 2 calls answered, which its policy “answered” charges, and the price of the job is 3 credits. The team had 7 credits before and 4 credits after.',
  ],
  [
    'is free under answered',
    { status: 'failed', endedBy: 'deadline', terms: termsOf('answered', { answered: 0 }) },
    'Not charged: the job failed, because its deadline had passed, and none of its calls succeeded.',
  ],
  [
    'is open under superseded_ok',
    { ...open, ...failure, terms: termsOf('superseded_ok', { unexcused: 1 }) },
    "Not charged so far, because the job is open. Completed now, it would be free: call 2 (draft) failed, and it has a failed call that is neither superseded nor its caller's own mistake.",
  ],
  [
    'has a price of 0',
    { terms: { ...termsOf('strict'), priceCredits: 0 } },
    'Not charged: the job was completed without a failed call, and the price of the job is 0 credits.',
  ],
])('the verdict of a job that %s says so (spec 21.5)', (_, fields, sentence) => {
  expect(explainCharge(jobWith(fields)).sentence).toBe(sentence);
});

test('a price by the recorded rate is the price by the settings from which the rate was recorded (spec 19.26)', () => {
  const job = { status: 'completed', failedCalls: 0, totalTokens: 12_345, totalCostUsd: '0.25' } as const;
  fc.assert(
    fc.property(anyBilling, (billing) => {
      const recorded = billingAt(billing.budgetMode, rateOf(billing));

      expect(decideCharge(job, recorded)).toEqual(decideCharge(job, billing));
    }),
  );
});
