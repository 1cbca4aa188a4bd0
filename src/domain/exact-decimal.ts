import Big from 'big.js';

/** A double carries 15 significant decimal digits there and back; with more, what was written is already lost. */
const mostDigits = 15;
const mostDecimalPlaces = 15;

/** Whether a JSON number is the decimal that its sender wrote, and not a float near it. */
export function isExactDecimal(value: number): boolean {
  if (!Number.isFinite(value)) return false;
  const { c: digits, e: exponent } = Big(value);
  return digits.length <= mostDigits && digits.length - 1 - exponent <= mostDecimalPlaces;
}

/** The same value as text without an exponent: `1e-7` is `0.0000001`. What is absent stays so. */
export const decimalText = <Absent extends null | undefined = never>(value: number | Absent): string | Absent =>
  typeof value === 'number' ? Big(value).toFixed() : value;
