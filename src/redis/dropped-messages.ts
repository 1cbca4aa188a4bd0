import type { Log } from '../log.ts';

/** A log line at most this often, however many messages are dropped: whoever floods a channel must not flood the log too. */
const logEveryMs = 10_000;

/** Reports a message that was dropped; `error` is what its listener threw. */
export type ReportDropped = (source: string, error?: unknown) => void;

/** Logs the first dropped message at once, and later ones together: each line names one source and counts those since the last line. */
export function createDropReport(log: Log, now: () => number = Date.now): ReportDropped {
  let dropped = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  return (source, error) => {
    dropped += 1;
    if (now() < nextAt) return;
    nextAt = now() + logEveryMs;
    log.warn({ channel: source, dropped, ...(error !== undefined && { err: error }) }, 'redis: message dropped');
    dropped = 0;
  };
}
