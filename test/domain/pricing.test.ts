import { costOfTokens, reportedCost, sumUsd } from '../../src/domain/pricing.ts';

const usage = { promptTokens: 1_000, completionTokens: 500, totalTokens: 1_500 };

test('the cost of tokens is exact, with prices per million (spec 1.15, spec 4.5)', () => {
  expect(costOfTokens(usage, { inputPerMillion: '0.15', outputPerMillion: '0.6' })).toBe('0.00045');
  expect(costOfTokens(usage, { inputPerMillion: '0.1', outputPerMillion: null })).toBe('0.0001');
  expect(costOfTokens(usage, { inputPerMillion: null, outputPerMillion: null })).toBeUndefined();
});

test('a sum of costs is exact', () => {
  expect(sumUsd(['0.1', '0.2', '0.0000000000000000003'])).toBe('0.3000000000000000003');
  expect(sumUsd([])).toBe('0');
});

test.each([
  ['0.00123', '0.00123'],
  [0.5, '0.5'],
  ['1.5e-7', '0.00000015'],
  [1.5e-7, '0.00000015'],
  ['0', '0'],
  [-1, undefined],
  ['NaN', undefined],
  ['', undefined],
  [null, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  ['1e999', undefined],
  ['1e99', undefined],
  [1_000_000, undefined],
])('a reported cost of %p is recorded as %p', (value, expected) => {
  expect(reportedCost(value)).toBe(expected);
});
