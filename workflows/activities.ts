import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

/**
 * The paid effect. Temporal starts it again only when its worker was lost or an operator asks for it: every other failure is
 * caught inside and becomes an answer. A call that has outlived twenty workers is not going to succeed. `startToCloseTimeout`
 * is not meant to fire: each request to a model has `UPSTREAM_TIMEOUT_SECONDS`, and a dead worker is noticed by its missing
 * heartbeat.
 */
export const upstream = proxyActivities<Pick<Activities, 'callUpstream'>>({
  startToCloseTimeout: '30d',
  heartbeatTimeout: '10s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s', maximumAttempts: 20 },
});

type Records = Pick<Activities, 'recordCost' | 'settleJob' | 'saveMetadata' | 'closeCall'>;

/**
 * One or two statements each. They have to succeed, so they are retried for ever; the timeout covers a statement and the wait
 * for its lock.
 */
const untilRecorded = {
  startToCloseTimeout: '15s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' },
} as const;

/** Ahead of calls when a worker is full of them: a client that completes a job waits for these. */
const first = { priorityKey: 1 };

/** A decision of the workflow is in its history before these activities carry it out. `docs/decisions/0025`. */
export const records = proxyActivities<Records>({ ...untilRecorded, priority: first });

/** The same for runs of version 2 and before, which ran them inside the workflow task. */
export const localRecords = proxyLocalActivities<Records>({ ...untilRecorded, localRetryThreshold: '30s' });

/** Reaches the calls sooner than Temporal's own cancellation, which comes with a heartbeat. A failure does no harm. */
export const hurry = proxyActivities<Pick<Activities, 'abortCalls'>>({
  startToCloseTimeout: '5s',
  retry: { maximumAttempts: 1 },
  priority: first,
});

/**
 * A failed answer of the receiver is a result, and the workflow decides when to repeat it. Retried here, for ever, is an
 * attempt that could not be made or recorded: a lost worker, PostgreSQL away, a receiver busy with other attempts. The timeout
 * is twice the 15 s of an attempt, to leave time for recording it.
 */
export const webhooks = proxyActivities<Pick<Activities, 'deliverWebhook'>>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
});

/** The sweeps of a round of maintenance, in this order. Each finds its own work; most of the time there is none. */
export const sweepNames = [
  'startForgottenJobs',
  'sendForgottenCalls',
  'endTerminatedJobs',
  'refillTeams',
  'abandonUnmadeTeams',
  'carryTeamChanges',
  'startOverdueDeliveries',
  'endTerminatedDeliveries',
  'forgetWhatIsOld',
] as const;

/**
 * The schedule runs them again in half a minute, so one retry is enough here. A sweep with much to do may take its time as long
 * as it heartbeats: each step is at most a handful of requests of 5 s.
 */
export const sweeps = proxyActivities<Pick<Activities, (typeof sweepNames)[number]>>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '60s',
  retry: { initialInterval: '1s', maximumAttempts: 2 },
});
