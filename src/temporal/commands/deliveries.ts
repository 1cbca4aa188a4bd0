import type { WorkflowOptions } from '@temporalio/client';
import { TypedSearchAttributes, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import { attemptNow } from '../../../workflows/contract/messages.ts';
import type { DeliveryInput } from '../../../workflows/webhook-delivery.ts';
import type { Database } from '../../db/connection/database.ts';
import {
  type DeliveryToStart,
  findDeliveries,
  findNotStarted,
  markStarted,
} from '../../db/webhooks/start-deliveries.ts';
import { workflowId } from '../../domain/ids.ts';
import type { Log } from '../../log.ts';
import type { Temporal } from '../connection/client.ts';
import { fairnessKey, searchAttributes, summary } from '../connection/search-attributes.ts';

/** Starts the workflows of the deliveries in the outbox. */
export interface Deliveries {
  /** Best effort, and never waits: what is not started here is started by the sweeper. */
  start(deliveryIds: readonly string[]): void;
  /** Starts what was committed and not started by the process that was to. Returns how many; throws `Unavailable`. */
  startOverdue(afterEachBatch?: () => void): Promise<number>;
  /** Makes an attempt now; a delivery that has ended gets its whole schedule again. Throws `Unavailable`. */
  redeliver(deliveryId: string): Promise<void>;
  close(): Promise<void>;
}

export interface DeliveriesOptions {
  database: Database;
  temporal: Temporal;
  log: Log;
  /** Before each attempt; the first one counts from the start. */
  delaysMs: number[];
}

const atOnce = 50;
/** Beyond this the sweeper takes over: an outage of Temporal should not cost memory for ids. */
const waitingAtMost = 1_000;
/** Older than any start that is still being tried. */
const overdueMs = 5_000;

export function createDeliveries({ database, temporal, log, delaysMs }: DeliveriesOptions): Deliveries {
  let waiting: string[] = [];
  let starting: Promise<void> | undefined;

  const optionsOf = (delivery: DeliveryToStart) => deliveryWorkflow(delivery, temporal.taskQueue, delaysMs);

  async function startAll(deliveries: readonly DeliveryToStart[]): Promise<void> {
    const starts = await Promise.allSettled(
      deliveries.map((delivery) =>
        temporal.request((client) => client.workflow.start('webhookDelivery', optionsOf(delivery))),
      ),
    );
    const started = deliveries.filter((_, place) => starts[place]!.status === 'fulfilled');
    if (started.length > 0)
      await markStarted(
        database,
        started.map(({ delivery_id }) => delivery_id),
      );
    const failure = starts.find((one) => one.status === 'rejected');
    if (failure) throw failure.reason;
  }

  async function startWaiting(): Promise<void> {
    try {
      while (waiting.length > 0) await startAll(await findDeliveries(database, waiting.splice(0, atOnce)));
    } catch (error) {
      log.warn({ err: error, deliveries: waiting.length }, 'deliveries are left to the sweeper');
      waiting = [];
    } finally {
      starting = undefined;
    }
  }

  return {
    start(deliveryIds) {
      if (deliveryIds.length === 0 || waiting.length > waitingAtMost) return;
      waiting.push(...deliveryIds);
      starting ??= startWaiting();
    },
    async startOverdue(afterEachBatch = () => undefined) {
      for (let all = 0; ; ) {
        const overdue = await findNotStarted(database, overdueMs, atOnce);
        await startAll(overdue);
        all += overdue.length;
        afterEachBatch();
        if (overdue.length < atOnce) return all;
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

/** How a delivery becomes a workflow. The delays before its attempts go with it, so that deliveries under way keep theirs. */
export const deliveryWorkflow = (delivery: DeliveryToStart, taskQueue: string, delaysMs: number[]) =>
  ({
    taskQueue,
    workflowId: workflowId.delivery(delivery.delivery_id),
    // A repeated start finds the workflow under way; an ended one runs again when its event is redelivered.
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
