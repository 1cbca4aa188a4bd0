import type { WorkflowOptions } from '@temporalio/client';
import { TypedSearchAttributes, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import { attemptNow } from '../../../workflows/contract/messages.ts';
import type { DeliveryInput } from '../../../workflows/contract/workflows.ts';
import type { Database } from '../../db/connection/database.ts';
import { type DeliveryToStart, findDeliveries, findNotStarted, markStarted } from '../../db/webhooks/deliveries.ts';
import { workflowId } from '../../domain/ids.ts';
import { summary } from '../../domain/summary.ts';
import type { Log } from '../../log.ts';
import type { Temporal } from '../connection/client.ts';
import { fairnessKey, searchAttributes } from '../connection/search-attributes.ts';

/** Starts the workflows of the deliveries in the outbox. */
export interface Deliveries {
  /** Best effort, without waiting: maintenance starts what is not started here. */
  start(deliveryIds: readonly string[]): void;
  /** Starts what was committed and not started for 5 s. Returns how many; throws `Unavailable`. */
  startOverdue(afterEachBatch?: () => void): Promise<number>;
  /** Makes an attempt now; a delivery that has ended starts its schedule again. Throws `Unavailable`. */
  redeliver(deliveryId: string): Promise<void>;
  close(): Promise<void>;
}

export interface DeliveriesOptions {
  database: Database;
  temporal: Temporal;
  log: Log;
  /** The delay before each attempt, the first one included. */
  delaysMs: number[];
}

const batchSize = 50;
/** The rest is started by maintenance: an outage of Temporal must not fill memory with ids. */
const maxQueued = 1_000;
/** Older than any start that is still in flight. */
const overdueMs = 5_000;

export function createDeliveries({ database, temporal, log, delaysMs }: DeliveriesOptions): Deliveries {
  let queued: string[] = [];
  let starting: Promise<void> | undefined;

  const optionsOf = (delivery: DeliveryToStart) => deliveryWorkflow(delivery, temporal.taskQueue, delaysMs);

  async function startAll(deliveries: readonly DeliveryToStart[]): Promise<void> {
    const starts = await Promise.allSettled(
      deliveries.map((delivery) =>
        temporal.request((client) => client.workflow.start('webhookDelivery', optionsOf(delivery))),
      ),
    );
    const started = deliveries.filter((_, index) => starts[index]!.status === 'fulfilled');
    if (started.length > 0)
      await markStarted(
        database,
        started.map(({ delivery_id }) => delivery_id),
      );
    const failure = starts.find((start) => start.status === 'rejected');
    if (failure) throw failure.reason;
  }

  async function startQueued(): Promise<void> {
    try {
      while (queued.length > 0) await startAll(await findDeliveries(database, queued.splice(0, batchSize)));
    } catch (error) {
      log.warn({ err: error, queued: queued.length }, 'deliveries: start failed, maintenance will retry');
      queued = [];
    } finally {
      starting = undefined;
    }
  }

  return {
    start(deliveryIds) {
      if (deliveryIds.length === 0 || queued.length > maxQueued) return;
      queued.push(...deliveryIds);
      starting ??= startQueued();
    },
    async startOverdue(afterEachBatch = () => undefined) {
      for (let started = 0; ; ) {
        const overdue = await findNotStarted(database, overdueMs, batchSize);
        await startAll(overdue);
        started += overdue.length;
        afterEachBatch();
        if (overdue.length < batchSize) return started;
      }
    },
    async redeliver(deliveryId) {
      const [delivery] = await findDeliveries(database, [deliveryId]);
      if (!delivery) return;
      await temporal.request((client) =>
        client.workflow.signalWithStart('webhookDelivery', { ...optionsOf(delivery), signal: attemptNow }),
      );
      await markStarted(database, [deliveryId]);
    },
    close: async () => starting,
  };
}

/** The workflow of a delivery. Its input contains the delays, so that a change of the setting does not affect running deliveries. */
const deliveryWorkflow = (delivery: DeliveryToStart, taskQueue: string, delaysMs: number[]) =>
  ({
    taskQueue,
    workflowId: workflowId.delivery(delivery.delivery_id),
    // A repeated start finds the running workflow; an ended one runs again when its event is redelivered.
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    args: [{ delivery_id: delivery.delivery_id, delays_ms: delaysMs }] satisfies [DeliveryInput],
    priority: { fairnessKey: fairnessKey(delivery.team_id) },
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.team, value: delivery.team_id },
      { key: searchAttributes.organization, value: delivery.organization_id },
    ]),
    staticSummary: summary(`${delivery.team_id} · ${delivery.event}`),
  }) satisfies WorkflowOptions & { args: [DeliveryInput] };
