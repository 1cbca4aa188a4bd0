import Big from 'big.js';

/** A double represents 15 significant decimal digits exactly; a number with more has been rounded. */
const maxDigits = 15;
const maxDecimalPlaces = 15;

/** Whether a JSON number is exactly the decimal that its sender wrote, and not only the nearest float. */
export function isExactDecimal(value: number): boolean {
  if (!Number.isFinite(value)) return false;
  const { c: digits, e: exponent } = Big(value);
  return digits.length <= maxDigits && digits.length - 1 - exponent <= maxDecimalPlaces;
}

/** The number as text without an exponent: `1e-7` is `0.0000001`. Null and undefined are returned as they are. */
export const decimalText = <Absent extends null | undefined = never>(value: number | Absent): string | Absent =>
  typeof value === 'number' ? Big(value).toFixed() : value;
