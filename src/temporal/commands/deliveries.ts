import type { WorkflowOptions } from '@temporalio/client';
import { TypedSearchAttributes, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import { attemptNow } from '../../../workflows/contract/messages.ts';
import type { DeliveryInput } from '../../../workflows/contract/workflows.ts';
import type { Database } from '../../db/connection/database.ts';
import { type DeliveryToStart, findDeliveryToStart, markStarted } from '../../db/webhooks/deliveries.ts';
import {
  countStarted,
  type DeliveryPace,
  findTeamsWithOverdue,
  paceOf,
  returnDeliveries,
  type TakenDeliveries,
  type TakenDelivery,
  takeDeliveries,
} from '../../db/webhooks/take-deliveries.ts';
import { workflowId } from '../../domain/ids.ts';
import { summary } from '../../domain/summary.ts';
import type { Log } from '../../log.ts';
import type { Temporal } from '../connection/open-temporal.ts';
import { fairnessKey, searchAttributes } from '../connection/search-attributes.ts';

/** Starts the workflows of the deliveries in the outbox, each team's at its pace: what is above it waits in the outbox. */
export interface Deliveries {
  /** The team has these new deliveries, or the installation (null). Best effort, without waiting: maintenance starts what is not started here. */
  start(teamId: string | null, deliveryIds: readonly string[]): void;
  /** The same where the team may have new ones, of events about its credits (decision 109). */
  startNew(teamId: string): void;
  /**
   * Starts deliveries of all teams that have one which was committed and not started for 5 s, as many as the pace of each permits.
   * Returns how many; throws `Unavailable`.
   */
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
  /** The deliveries that one team may start in a minute. */
  perMinute: number;
}

/** Stands for the team of a delivery to a webhook of the installation. */
const installation = 'installation';

const batchSize = 50;
const teamsAtOnce = 20;
/** No start that is still in flight is so old. */
const overdueMs = 5_000;
/** This process starts some so often while deliveries of a team wait. */
const pumpMs = 500;
/** The team is left to maintenance and to its next event after so many times at which none could be started. */
const maxIdlePumps = 20;

/** Starts those of two seconds at once, so that others do not feel the burst of a team, and never more in a minute than `perMinute`. */
export function deliveryPace(perMinute: number): DeliveryPace {
  const burst = Math.max(1, Math.floor(perMinute / 30));
  return {
    burst,
    per_second: Math.max(1, perMinute - burst) / 60,
    most_unattempted: 200,
    most_open: 5_000,
    most_open_failing: 1_000,
  };
}

export function createDeliveries({ database, temporal, log, delaysMs, perMinute }: DeliveriesOptions): Deliveries {
  const pace = deliveryPace(perMinute);
  /** Teams of which deliveries are to be started now. */
  const due = new Set<string>();
  /** Teams of which more wait than their pace permits, and how often in a row none could be started. */
  const backlogged = new Map<string, number>();
  let starting: Promise<void> | undefined;
  let pump: NodeJS.Timeout | undefined;
  let isClosed = false;

  const workflowOptions = (delivery: DeliveryToStart) => deliveryWorkflow(delivery, temporal.taskQueue, delaysMs);

  /** Starts its workflow, or has the running one make an attempt now. */
  const startAgain = (delivery: DeliveryToStart) =>
    temporal.request((client) =>
      client.workflow.signalWithStart('webhookDelivery', { ...workflowOptions(delivery), signal: attemptNow }),
    );

  /** The workflow of a delivery that has just failed may not have ended yet. */
  const startWorkflow = (delivery: TakenDelivery) =>
    delivery.is_repeated
      ? startAgain(delivery)
      : temporal.request((client) => client.workflow.start('webhookDelivery', workflowOptions(delivery)));

  async function startBatch(deliveries: readonly TakenDelivery[]): Promise<void> {
    const starts = await Promise.allSettled(deliveries.map(startWorkflow));
    const failure = starts.find((start) => start.status === 'rejected');
    if (!failure) return;
    const failed = deliveries.filter((_, index) => starts[index]!.status === 'rejected');
    await returnDeliveries(
      database,
      failed.map(({ delivery_id }) => delivery_id),
    );
    throw failure.reason;
  }

  function noteBacklog({ team_id, deliveries, has_more }: TakenDeliveries): void {
    const idle = deliveries.length > 0 ? 0 : (backlogged.get(team_id) ?? 0) + 1;
    if (has_more && idle < maxIdlePumps) backlogged.set(team_id, idle);
    else backlogged.delete(team_id);
  }

  async function startDeliveries(teamIds: readonly string[]): Promise<number> {
    const taken = await takeDeliveries(database, teamIds, pace);
    for (const one of taken) noteBacklog(one);
    const waiting = taken.flatMap(({ deliveries }) => deliveries);
    const { length } = waiting;
    try {
      while (waiting.length > 0) await startBatch(waiting.splice(0, batchSize));
    } finally {
      if (waiting.length > 0)
        await returnDeliveries(
          database,
          waiting.map(({ delivery_id }) => delivery_id),
        );
    }
    return length;
  }

  async function startDue(): Promise<void> {
    try {
      while (due.size > 0) {
        const teamIds = [...due].slice(0, teamsAtOnce);
        for (const teamId of teamIds) due.delete(teamId);
        await startDeliveries(teamIds);
      }
    } catch (error) {
      log.warn({ err: error, teams: due.size }, 'deliveries: start failed, maintenance will retry');
      due.clear();
      backlogged.clear();
    } finally {
      starting = undefined;
      pumpLater();
    }
  }

  function pumpLater(): void {
    if (backlogged.size === 0 || isClosed) return;
    pump ??= setTimeout(() => {
      pump = undefined;
      for (const teamId of backlogged.keys()) due.add(teamId);
      starting ??= startDue();
    }, pumpMs).unref();
  }

  function startNew(teamId: string): void {
    // A backlog begins with older deliveries.
    if (backlogged.has(teamId)) return;
    due.add(teamId);
    starting ??= startDue();
  }

  return {
    startNew,
    start(teamId, deliveryIds) {
      if (deliveryIds.length > 0) startNew(paceOf(teamId));
    },
    async startOverdue(afterEachBatch = () => undefined) {
      const teamIds = await findTeamsWithOverdue(database, overdueMs);
      let started = 0;
      while (teamIds.length > 0) {
        started += await startDeliveries(teamIds.splice(0, teamsAtOnce));
        afterEachBatch();
      }
      pumpLater();
      return started;
    },
    async redeliver(deliveryId) {
      const delivery = await findDeliveryToStart(database, deliveryId);
      if (!delivery) return;
      await startAgain(delivery);
      await markStarted(database, deliveryId);
      await countStarted(database, delivery.team_id);
    },
    async close() {
      isClosed = true;
      clearTimeout(pump);
      await starting;
    },
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
    priority: { fairnessKey: fairnessKey(delivery.team_id ?? installation) },
    typedSearchAttributes: new TypedSearchAttributes([
      ...(delivery.team_id === null ? [] : [{ key: searchAttributes.team, value: delivery.team_id }]),
      ...(delivery.organization_id === null
        ? []
        : [{ key: searchAttributes.organization, value: delivery.organization_id }]),
    ]),
    staticSummary: summary(`${delivery.team_id ?? installation} · ${delivery.event}`),
  }) satisfies WorkflowOptions & { args: [DeliveryInput] };
