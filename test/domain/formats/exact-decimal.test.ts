import fc from 'fast-check';
import { decimalText, isExactDecimal } from '../../../src/domain/formats/exact-decimal.ts';

test.each([0, 1, 0.1, 1e-7, 0.000000000000001, 123456789.012345, 999999999999999, 1e9])(
  '%d is an exact decimal',
  (value) => {
    expect(isExactDecimal(value)).toBe(true);
    expect(Number(decimalText(value))).toBe(value);
  },
);

test.each([
  0.1 + 0.2,
  1 / 3,
  1e-16,
  5e-324,
  1.0000000000000002,
  123.12345678901234,
  12_345_678_901_234_568,
  Number.POSITIVE_INFINITY,
  Number.NaN,
])('%d is not an exact decimal', (value) => {
  expect(isExactDecimal(value)).toBe(false);
});

test('the text of a number has no exponent', () => {
  expect(decimalText(1e-7)).toBe('0.0000001');
  expect(decimalText(1e9)).toBe('1000000000');
});

test('a number with at most fifteen digits is converted to text without a change', () => {
  const whole = fc.integer({ min: 0, max: 999_999_999 }).map(String);
  const fraction = fc.integer({ min: 1, max: 999_999 }).map((digits) => String(digits).padStart(6, '0'));

  fc.assert(
    fc.property(whole, fraction, (before, after) => {
      const written = `${before}.${after.replace(/0+$/, '')}`;
      const read = JSON.parse(written) as number;

      expect(isExactDecimal(read)).toBe(true);
      expect(decimalText(read)).toBe(written);
    }),
  );
});
