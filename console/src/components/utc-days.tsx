import { formatTick } from '../format/time.ts';

const msBefore = 1;

/** Which days the figures are of: those of money are days of UTC, whatever zone times are shown in. */
export function UtcDays({ from, to }: { from: string; to: string }) {
  const first = formatTick(new Date(from), 'UTC', 'day');
  const last = formatTick(new Date(Date.parse(to) - msBefore), 'UTC', 'day');
  return <>{first === last ? `${first}, a whole day of UTC` : `${first} to ${last}, whole days of UTC`}</>;
}

/** The clock of figures of jobs, and their days. */
export const JobDays = (range: { from: string; to: string }) => (
  <>
    Jobs by the day of their creation, <UtcDays {...range} />
  </>
);
