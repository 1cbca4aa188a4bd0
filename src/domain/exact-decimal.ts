import Big from 'big.js';

/** A double keeps 15 significant decimal digits; a number written with more has lost some already. */
const mostDigits = 15;
const mostDecimalPlaces = 15;

/** Whether a JSON number is the decimal that its sender wrote, and not only the nearest float. */
export function isExactDecimal(value: number): boolean {
  if (!Number.isFinite(value)) return false;
  const { c: digits, e: exponent } = Big(value);
  return digits.length <= mostDigits && digits.length - 1 - exponent <= mostDecimalPlaces;
}

/** The same value as text without an exponent: `1e-7` is `0.0000001`. An absent value stays absent. */
export const decimalText = <Absent extends null | undefined = never>(value: number | Absent): string | Absent =>
  typeof value === 'number' ? Big(value).toFixed() : value;
