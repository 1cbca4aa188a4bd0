import { UtcDays } from '../ui/utc-days.tsx';

/** The clock of figures of jobs, and the days that they are of. */
export const JobDays = (range: { from: string; to: string }) => (
  <>
    Jobs created <UtcDays {...range} />
  </>
);
