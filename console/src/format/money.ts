/** The exact figure as the API has sent it: at most 15 digits, so that a double has all of them. */
export const exactUsd = (usd: number): string => `$${plain(usd)}`;

/** The number as text without an exponent: `1e-7` is 0.0000001. */
function plain(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/0+$/, '') : text;
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const small = new Intl.NumberFormat('en', { minimumSignificantDigits: 2, maximumSignificantDigits: 2 });

/** The amount at the precision at which it is read: `$12,480`, `$12.48`, `$0.0042`. The exact figure is on hover. */
export function shortUsd(usd: number): string {
  const size = Math.abs(usd);
  const sign = usd < 0 ? '−' : '';
  if (size === 0) return '$0';
  if (size < 0.000_001) return `${sign}<$0.000001`;
  if (size < 0.1) return `${sign}$${small.format(size)}`;
  return `${sign}$${size < 10_000 ? cents.format(size) : whole.format(size)}`;
}
