import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from './contract/activities.ts';

/**
 * The paid effect. Temporal starts it again only when its worker was lost or is full, or an operator requests it: every other
 * failure is caught inside and becomes a result. A call that has outlived twenty workers is not going to succeed, nor one that has
 * found every worker full for ten minutes (`WorkerFull`, with delays of its own). `startToCloseTimeout`
 * is not meant to fire: each request to a model has `UPSTREAM_MAX_SECONDS`, and a dead worker is noticed by its missing
 * heartbeat.
 */
export const upstream = proxyActivities<Pick<Activities, 'callUpstream'>>({
  startToCloseTimeout: '30d',
  heartbeatTimeout: '10s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s', maximumAttempts: 20 },
});

/** These come before calls when a worker is full of them: a client that completes a job waits for these. */
const beforeCalls = { priorityKey: 1 };

/**
 * One or two statements each. They have to succeed, so they are retried without a limit; the timeout covers a statement and the
 * wait for its lock. Not local activities: a decision of the workflow is in its history before they execute it.
 * `docs/decisions/0025`.
 */
export const records = proxyActivities<
  Pick<Activities, 'recordCost' | 'settleJob' | 'saveMetadata' | 'closeCall' | 'readCutoff'>
>({
  startToCloseTimeout: '15s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' },
  priority: beforeCalls,
});

/**
 * These reach the running calls sooner than Temporal's own cancellation, which comes with a heartbeat. A failure does no harm: the
 * heartbeat follows.
 */
export const interrupts = proxyActivities<Pick<Activities, 'abortCalls'>>({
  startToCloseTimeout: '5s',
  retry: { maximumAttempts: 1 },
  priority: beforeCalls,
});

/**
 * An error response of the receiver is a result, and the workflow decides when to repeat the attempt. Retried here, without a
 * limit, is an attempt that could not be made or recorded: a lost worker, PostgreSQL away, a receiver busy with other attempts.
 * The timeout is twice the 15 s of an attempt, to leave time for recording it.
 */
export const webhooks = proxyActivities<Pick<Activities, 'deliverWebhook'>>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
});

/**
 * A round of maintenance. The next one finds the same work in half a minute, so it is not retried. It may take long as long as it
 * heartbeats: between two heartbeats are at most a handful of requests of 5 s.
 */
export const rounds = proxyActivities<Pick<Activities, 'maintain'>>({
  startToCloseTimeout: '30m',
  heartbeatTimeout: '60s',
  retry: { maximumAttempts: 1 },
});
