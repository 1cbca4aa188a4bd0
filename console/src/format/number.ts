const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

export const formatNumber = (value: number): string => whole.format(value).replace('-', '−');

/** `+50`, `−39`, `0`: what a balance has changed by. */
export const formatSigned = (value: number): string =>
  `${value > 0 ? '+' : ''}${formatNumber(value)}`.replace(/^−0$/, '0');

/** `12.4K`: for axes and narrow places, with the exact figure on hover. */
export const formatCompact = (value: number): string => compact.format(value).replace('-', '−');

/** The text of a fraction: 0.953 is `95.3%`. */
export const formatPercent = (fraction: number): string => percent.format(fraction).replace('-', '−');

/** `1 job`, `3 jobs` */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

const units = ['B', 'KB', 'MB', 'GB'];

export function formatBytes(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1_024 ** unit;
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
