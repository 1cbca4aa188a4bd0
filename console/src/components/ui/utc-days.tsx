import { formatTick } from '../../format/time.ts';

const msBefore = 1;

/** The days that the figures are of. Figures of money are of UTC days, whatever the chosen zone. */
export function UtcDays({ from, to }: { from: string; to: string }) {
  const first = formatTick(new Date(from), 'UTC', 'day');
  const last = formatTick(new Date(Date.parse(to) - msBefore), 'UTC', 'day');
  return <>{first === last ? `${first} (UTC day)` : `${first} to ${last} (UTC days)`}</>;
}
