import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Database } from '../db/connection/database.ts';
import { isWritable } from '../db/connection/is-writable.ts';
import type { Drain } from '../health/drain.ts';
import type { Probe } from '../server/serve-metrics.ts';
import { version } from '../version.ts';
import type { ThreadWatch } from './watch-thread.ts';

/** A probe must be answered soon. */
const timeoutMs = 1_000;

const probe = (problem: string | undefined, status: 'live' | 'ready'): Probe => ({
  status: problem === undefined ? 200 : 503,
  body: { status: problem ?? status, service: 'job-gateway', version },
});

/**
 * `spec 15.4`. A worker that Temporal does not answer gets no work: a rollout waits until it does before it ends the next of the
 * old workers.
 */
export function workerProbes(
  { database, drain }: { database: Database; drain: Drain },
  thread: Pick<ThreadWatch, 'isResponsive'>,
  isConnected: () => boolean,
): Record<string, () => Promise<Probe>> {
  const notReady = async (): Promise<string | undefined> => {
    if (drain.isDraining()) return 'draining';
    if (!isConnected()) return 'temporal away';
    const isUp = await withTimeout(isWritable(database), timeoutMs).catch(() => false);
    return isUp ? undefined : 'database away';
  };
  return {
    '/health/live': async () => probe(thread.isResponsive() ? undefined : 'workflow thread stuck', 'live'),
    '/health/ready': async () => probe(await notReady(), 'ready'),
  };
}
