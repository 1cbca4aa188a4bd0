import { withTimeout } from '../../src/concurrency/with-timeout.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { readCutoff } from '../../src/db/jobs/read-cutoff.ts';

/** The end of a call by the deadline of its job. */
export interface Cutoff {
  /** Aborts when the deadline is over. */
  signal: AbortSignal;
  close(): void;
}

/** A record that cannot be read within this time counts as it was: a frozen database must not prolong a request. */
const readWithinMs = 500;

/**
 * Aborts when the deadline of the call's job is over, also while its workflow is late. The deadline may have been changed since the call
 * began, so it is read again first. A deadline of a job that had none then comes through the workflow.
 */
export function watchCutoff(database: Database, jobId: string, cutoffInMs: number): Cutoff {
  const over = new AbortController();
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const waitOrAbort = (remainingMs: number): void => {
    if (closing.signal.aborted) return;
    if (remainingMs > 0) timer = setTimeout(check, remainingMs);
    else over.abort(new Error('DEADLINE'));
  };
  const check = async (): Promise<void> => {
    const remainingMs = await withTimeout(readCutoff(database, jobId), readWithinMs).catch(() => 0);
    if (remainingMs !== null) waitOrAbort(remainingMs);
  };
  waitOrAbort(cutoffInMs);
  return {
    signal: over.signal,
    close() {
      closing.abort();
      clearTimeout(timer);
    },
  };
}
