import { Gauge, type Registry } from 'prom-client';
import { cachedFor } from '../concurrency/cached-for.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Database } from '../db/connection/database.ts';
import { countLedgerMismatches } from '../db/credits/count-ledger-mismatches.ts';
import { queueDepths } from '../db/figures/queue-depths.ts';
import { maintenanceState } from '../db/maintenance/maintenance-steps.ts';

/** Prometheus waits for ten seconds, the health check of a container for less. */
const timeoutMs = 500;
/** The database counts no more often than this, however many scrape. */
const cachedMs = 5_000;
/** Every account is compared with the last row of its ledger: milliseconds for a thousand teams, and a wrong one stays wrong. */
const ledgerCachedMs = 300_000;

/**
 * Figures of the whole installation, read from the database when the metrics are collected: equal on every process, and absent while they
 * cannot be read. Alerts and dashboards take their maximum.
 */
export function watchInstallation(registry: Registry, database: Database): void {
  const registers = [registry];
  const depths = cachedFor(cachedMs, () => withTimeout(queueDepths(database), timeoutMs).catch(() => undefined));
  new Gauge({
    name: 'gateway_installation_queue_depth',
    help: 'What waits for a worker, or is being worked on, in the whole installation',
    labelNames: ['queue'],
    registers,
    async collect() {
      const read = await depths();
      this.reset();
      if (!read) return;
      const { queued_calls, running_calls, waiting_deliveries } = read;
      for (const [queue, depth] of Object.entries({ queued_calls, running_calls, waiting_deliveries }))
        this.set({ queue }, depth);
    },
  });
  watchOne(
    registry,
    'oldest_queued_call_seconds',
    'Age of the call that has waited longest for a worker; 0: none waits',
    async () => {
      const read = await depths();
      return read && (read.oldest_queued_seconds ?? 0);
    },
  );
  const maintenance = cachedFor(cachedMs, () =>
    withTimeout(maintenanceState(database), timeoutMs).catch(() => undefined),
  );
  watchOne(
    registry,
    'maintenance_age_seconds',
    'Since maintenance has last ended a step',
    async () => (await maintenance())?.age_seconds ?? undefined,
  );
  watchOne(
    registry,
    'maintenance_failed_steps',
    'Steps of maintenance that failed in its last round',
    async () => (await maintenance())?.failed_steps,
  );
}

/** The only figure that reads many rows: a worker has it, so that no api that serves clients does. */
export function watchLedger(registry: Registry, database: Database): void {
  const mismatches = cachedFor(ledgerCachedMs, () => countLedgerMismatches(database).catch(() => undefined));
  const help = 'Accounts whose balance is not that after the last row of their ledger';
  watchOne(registry, 'ledger_mismatches', help, () => withTimeout(mismatches(), timeoutMs).catch(() => undefined));
}

/** A figure without labels. Undefined: it is not known now. */
function watchOne(registry: Registry, name: string, help: string, read: () => Promise<number | undefined>): void {
  new Gauge({
    name: `gateway_installation_${name}`,
    help,
    // With a label set, a figure that is not known is absent, and not 0.
    labelNames: [],
    registers: [registry],
    async collect() {
      const value = await read();
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

/** The connections of this process. */
export function watchConnections(registry: Registry, { pool }: Pick<Database, 'pool'>): void {
  new Gauge({
    name: 'gateway_database_connections',
    help: 'Connections of this process, and requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { totalCount, idleCount, waitingCount } = pool;
      this.set({ state: 'used' }, totalCount - idleCount);
      this.set({ state: 'idle' }, idleCount);
      this.set({ state: 'waiting' }, waitingCount);
    },
  });
}
