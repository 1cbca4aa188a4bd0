import { Gauge, type Registry } from 'prom-client';
import { cachedFor } from '../concurrency/cached-for.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Database } from '../db/connection/database.ts';
import { queueDepths } from '../db/figures/queue-depths.ts';

/** Prometheus waits for ten seconds, the health check of a container for less. */
const timeoutMs = 500;
/** The database counts no more often than this, however many scrape. */
const cachedMs = 5_000;

/** Pool and queue depths, read when the metrics are collected. While they cannot be read, they are absent. */
export function watchDepths(registry: Registry, database: Database): void {
  const registers = [registry];
  const depthsOrNothing = cachedFor(cachedMs, () =>
    withTimeout(queueDepths(database), timeoutMs).catch(() => undefined),
  );
  new Gauge({
    name: 'gateway_database_connections',
    help: 'Connections of this process, and requests that wait for one',
    labelNames: ['state'],
    registers,
    collect() {
      const { totalCount, idleCount, waitingCount } = database.pool;
      this.set({ state: 'used' }, totalCount - idleCount);
      this.set({ state: 'idle' }, idleCount);
      this.set({ state: 'waiting' }, waitingCount);
    },
  });
  new Gauge({
    name: 'gateway_queue_depth',
    help: 'What waits for a worker, or is being worked on, in the whole installation',
    labelNames: ['queue'],
    registers,
    async collect() {
      const depths = await depthsOrNothing();
      this.reset();
      for (const [queue, depth] of Object.entries(depths ?? {})) this.set({ queue }, depth);
    },
  });
}
