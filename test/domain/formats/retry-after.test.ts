import { parseRetryAfter } from '../../../src/domain/formats/retry-after.ts';

const now = Date.UTC(2026, 10, 26, 20, 0, 0);
const week = 7 * 24 * 3_600_000;

test.each([
  ['seconds', '14', 14_000],
  ['a fraction of seconds', '0.5', 500],
  ['spaces around', ' 14 ', 14_000],
  ['zero', '0', 0],
  ['a date', 'Thu, 26 Nov 2026 20:00:14 GMT', 14_000],
  ['a date in the form of RFC 850', 'Thursday, 26-Nov-26 20:00:14 GMT', 14_000],
  ['a date in the form of asctime', 'Thu Nov 26 20:00:14 2026', 14_000],
  ['more than 31 bits of milliseconds', '2147483648', week],
  ['digits without an end', '9'.repeat(400), week],
  ['a date in a hundred years', 'Thu, 26 Nov 2126 20:00:14 GMT', week],
  ['a date that has passed', 'Thu, 26 Nov 2026 19:59:00 GMT', undefined],
  ['a negative number', '-5', undefined],
  ['a word', 'soon', undefined],
  ['a number with a unit', '14s', undefined],
  ['two numbers', '14, 20', undefined],
  ['a number in hexadecimal', '0x10', undefined],
  ['a date without a time', '2026-11-27', undefined],
  ['nothing', '', undefined],
  ['no header', undefined, undefined],
  ['two headers', ['5', '14'], 14_000],
  ['two headers, one of them unreadable', ['soon', '14'], 14_000],
] as const)('a Retry-After with %s', (_, header, ms) => {
  expect(parseRetryAfter(header as string | string[] | undefined, now)).toBe(ms);
});
