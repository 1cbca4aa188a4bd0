import {
  hashRecoveryCode,
  newOneTimeSecret,
  newRecoveryCodes,
  oneTimeCode,
  stepAt,
  stepOfCode,
} from '../../src/auth/one-time-codes.ts';

/** The secret of RFC 6238, Appendix B, in base32: `12345678901234567890`. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at second %d is the one of RFC 6238', (second, code) => {
  expect(oneTimeCode(secret, stepAt(second * 1_000))).toBe(code);
});

test('a code is found one step before and after its time, and not two', () => {
  const step = 1_000;
  const foundAt = (at: number) => stepOfCode(secret, oneTimeCode(secret, step), at * 30_000);

  expect([998, 999, 1_000, 1_001, 1_002].map(foundAt)).toEqual([undefined, step, step, step, undefined]);
});

test('a secret has 160 bits, and a recovery code 80', () => {
  expect(newOneTimeSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(newRecoveryCodes().join(' ')).toMatch(/^(([A-Z2-7]{4}-){3}[A-Z2-7]{4} ?){10}$/);
});

test('a recovery code has the same digest however it is typed, and another one for another user', () => {
  const digest = (userId: string, code: string) => hashRecoveryCode(userId, code).toString('hex');

  expect(digest('a', 'abcd efgh')).toBe(digest('a', 'ABCD-EFGH'));
  expect(digest('b', 'ABCD-EFGH')).not.toBe(digest('a', 'ABCD-EFGH'));
});
