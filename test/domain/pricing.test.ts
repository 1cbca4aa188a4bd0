import { costOfTokens, reportedCost, sumUsd } from '../../src/domain/pricing.ts';

const usage = { promptTokens: 1_000, completionTokens: 500, totalTokens: 1_500 };

test('the cost of tokens is exact, with prices per million (spec 1.15, spec 4.5)', () => {
  expect(costOfTokens(usage, { inputPerMillion: '0.15', outputPerMillion: '0.6' })).toBe('0.00045');
  expect(costOfTokens(usage, { inputPerMillion: '0.1', outputPerMillion: null })).toBe('0.0001');
  expect(costOfTokens(usage, { inputPerMillion: null, outputPerMillion: null })).toBeUndefined();
});

const price = { inputPerMillion: '3', outputPerMillion: '15' };

test.each([
  ['their own prices', { cachedInputPerMillion: '0.3', cacheWritePerMillion: '3.75' }, '0.008145'],
  ['a price for one of them', { cachedInputPerMillion: '0.3' }, '0.00807'],
  ['a price of 0', { cachedInputPerMillion: '0', cacheWritePerMillion: '3.75' }, '0.007875'],
  ['no price of their own', { cachedInputPerMillion: null }, '0.0105'],
])('cached and written tokens of a prompt with %s cost that, else the input price (spec 30.9)', (_, prices, cost) => {
  const cached = { ...usage, cachedTokens: 900, cacheWriteTokens: 100 };
  const tokens = { ...cached, promptTokens: 1_000 };

  expect(costOfTokens(tokens, { ...price, ...prices })).toBe(cost);
});

test('more cached and written tokens than the prompt has count as all of it (spec 30.9)', () => {
  const prices = {
    inputPerMillion: '3',
    outputPerMillion: null,
    cachedInputPerMillion: '1',
    cacheWritePerMillion: '2',
  };

  expect(costOfTokens({ ...usage, cachedTokens: 5_000, cacheWriteTokens: 5_000 }, prices)).toBe('0.001');
  expect(costOfTokens({ ...usage, cachedTokens: 400, cacheWriteTokens: 5_000 }, prices)).toBe('0.0016');
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
