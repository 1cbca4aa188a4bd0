import { type Bucket, bucketEnd } from '../../app/answered-range.ts';

/** Whether more may still be added to a bucket: it lasts on, or its figures are not complete. */
export const isRunning = (at: string, bucket: Bucket, completeUntil: string): boolean =>
  bucketEnd(at, bucket) > completeUntil;
