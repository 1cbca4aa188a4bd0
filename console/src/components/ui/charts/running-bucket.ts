import { type Bucket, bucketEnd } from '../../../url/answered-range.ts';

/** Whether a bucket may still change: it has not ended, or its figures are not complete. */
export const isRunning = (at: string, bucket: Bucket, completeUntil: string): boolean =>
  bucketEnd(at, bucket) > completeUntil;
