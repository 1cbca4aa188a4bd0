import { isFinished, type JobStatus } from './job-state.ts';
import { type Bucket, dayMs, hourMs } from './time/buckets.ts';

type HistogramBucket = Exclude<Bucket, 'month'>;

const bucketMs: Record<HistogramBucket, number> = { hour: hourMs, day: dayMs };
const maxByHourMs = 3 * dayMs;
const defaultMs = 30 * dayMs;
const maxPoints = 1_100;

/** A range of whole buckets. */
export interface HistogramRange {
  bucket: HistogramBucket;
  from: Date;
  to: Date;
}

interface WantedRange {
  /** Inclusive; null: 30 days before the end. */
  from: Date | null;
  /** Exclusive; null: now. */
  before: Date | null;
  now: Date;
  wanted: HistogramBucket | 'auto';
}

/** The buckets that cover a range; undefined for too many. `spec 19.23` */
export function chooseRange({ from, before, now, wanted }: WantedRange): HistogramRange | undefined {
  const end = before?.getTime() ?? now.getTime() + 1;
  const start = from?.getTime() ?? end - defaultMs;
  const bucket = wanted === 'auto' ? (end - start <= maxByHourMs ? 'hour' : 'day') : wanted;
  const ms = bucketMs[bucket];
  const first = Math.floor(start / ms) * ms;
  const last = Math.max(Math.ceil(end / ms) * ms, first + ms);
  if ((last - first) / ms > maxPoints) return undefined;
  return { bucket, from: new Date(first), to: new Date(last) };
}

/** How many jobs of a status were created in the bucket that begins at `at`. */
export interface CountedJobs {
  at: Date;
  status: JobStatus;
  jobs: number;
}

export interface HistogramPoint {
  at: string;
  completed: number;
  failed: number;
  cancelled: number;
  open: number;
}

/** Every bucket of the range, oldest first. Where the count has stopped at a job, those before its bucket are left out. */
export function toPoints(
  { bucket, from, to }: HistogramRange,
  { rows, stoppedAt }: { rows: readonly CountedJobs[]; stoppedAt: Date | null },
): HistogramPoint[] {
  const ms = bucketMs[bucket];
  const first = stoppedAt ? Math.max(from.getTime(), Math.floor(stoppedAt.getTime() / ms) * ms) : from.getTime();
  const length = Math.max(1, (to.getTime() - first) / ms);
  const points = Array.from({ length }, (_, index) => ({
    at: new Date(first + index * ms).toISOString(),
    completed: 0,
    failed: 0,
    cancelled: 0,
    open: 0,
  }));
  for (const { at, status, jobs } of rows) {
    const point = points[(at.getTime() - first) / ms];
    if (point) point[isFinished(status) ? status : 'open'] += jobs;
  }
  return points;
}
