import fc from 'fast-check';
import { charge, type FinishedJob, price } from '../../src/domain/charge.ts';
import { type Billing, maxBalance } from '../../src/domain/credits.ts';

const job = (fields: Partial<FinishedJob> = {}): FinishedJob => ({
  status: 'completed',
  failedCalls: 0,
  totalTokens: 1_200,
  totalCostUsd: '0.02',
  ...fields,
});
const billing = (fields: Partial<Billing> = {}): Billing => ({
  budgetMode: 'job_based',
  tokensPerCredit: null,
  creditsPerDollar: null,
  ...fields,
});

test('a job-based job costs one credit, whatever its number of tokens (spec 6.11)', () => {
  expect(charge(job({ totalTokens: 5_000_000 }), billing())).toBe(1);
});

test.each([
  ['failed', 0],
  ['cancelled', 0],
  ['completed', 1],
] as const)('a job that ended as %s is charged %d credits', (status, credits) => {
  expect(charge(job({ status }), billing())).toBe(credits);
});

test('a failed call makes the job free', () => {
  expect(charge(job({ failedCalls: 1 }), billing({ budgetMode: 'consumption_usd' }))).toBe(0);
});

test.each([
  ['0', null, 1],
  ['0.1', null, 1],
  ['0.10000000000000000001', null, 2],
  ['0.3', '10', 3],
  // 1.1 × 3 is 3.3000000000000003 in floats, and 1.1 × 10 is exactly 11.
  ['1.1', '10', 11],
  ['1.1', '0.5', 1],
  ['99999999999', '1', 99_999_999_999],
])('%s USD at %s credits a dollar cost %d credits (spec 6.8, spec 6.11)', (totalCostUsd, creditsPerDollar, credits) => {
  expect(price(job({ totalCostUsd }), billing({ budgetMode: 'consumption_usd', creditsPerDollar }))).toBe(credits);
});

test.each([
  [0, null, 1],
  [10_000, null, 1],
  [10_001, null, 2],
  [7, 3, 3],
])('%d tokens at %s tokens a credit cost %d credits (spec 6.11)', (totalTokens, tokensPerCredit, credits) => {
  expect(price(job({ totalTokens }), billing({ budgetMode: 'consumption_tokens', tokensPerCredit }))).toBe(credits);
});

test('a price larger than any balance is not charged', () => {
  const worth = (totalCostUsd: string) =>
    charge(job({ totalCostUsd }), billing({ budgetMode: 'consumption_usd', creditsPerDollar: '1' }));

  expect(worth(`${maxBalance}`)).toBe(maxBalance);
  expect(worth(`${maxBalance}.000001`)).toBe(0);
  expect(worth('1e400')).toBe(0);
});

test('a price is a whole number of credits and at least one (spec 6.8)', () => {
  const modes = fc.constantFrom('job_based', 'consumption_usd', 'consumption_tokens');
  const usd = fc.tuple(fc.nat(1_000_000), fc.nat(99_999)).map(([whole, part]) => `${whole}.${part}`);
  fc.assert(
    fc.property(modes, fc.nat(), usd, (budgetMode, totalTokens, totalCostUsd) => {
      const credits = price(job({ totalTokens, totalCostUsd }), billing({ budgetMode }));
      return Number.isInteger(credits) && credits >= 1 && credits <= maxBalance;
    }),
  );
});
