import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

/**
 * The paid effect. Temporal starts it again only when its worker was lost, or when an operator wants it so: every other failure is caught inside and is an
 * answer. Attempts: a call that has outlived twenty workers is not going to succeed. Each model that is asked has its own time,
 * `UPSTREAM_TIMEOUT_SECONDS`, and what notices a death is the heartbeat: the time here is beyond both.
 */
export const upstream = proxyActivities<Pick<Activities, 'callUpstream'>>({
  startToCloseTimeout: '30d',
  heartbeatTimeout: '10s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s', maximumAttempts: 20 },
});

type Records = Pick<Activities, 'recordCost' | 'settleJob' | 'saveMetadata' | 'closeCall'>;

/** A statement or two each. They have to succeed, so they are tried for ever; the timeout is that of a statement and a wait for its lock. */
const untilRecorded = {
  startToCloseTimeout: '15s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' },
} as const;

/** Before calls, where a worker is full of them: whoever completes a job waits for these. */
const first = { priorityKey: 1 };

/** What the workflow has decided is in its history before they do it. `docs/decisions/0025`. */
export const records = proxyActivities<Records>({ ...untilRecorded, priority: first });

/** The same for runs of version 2 and before, which made them a part of their workflow task. */
export const localRecords = proxyLocalActivities<Records>({ ...untilRecorded, localRetryThreshold: '30s' });

/** Sooner than the calls hear of their cancellation from Temporal, with a heartbeat. It does not matter when it fails. */
export const hurry = proxyActivities<Pick<Activities, 'abortCalls'>>({
  startToCloseTimeout: '5s',
  retry: { maximumAttempts: 1 },
  priority: first,
});

/**
 * An attempt that a receiver fails is an answer, and the workflow's to repeat. What is tried again here, for ever, is an
 * attempt that could not be made or not be recorded: a lost worker, PostgreSQL away, a receiver busy with other attempts.
 * Twice the 15 s of an attempt leave time for the record.
 */
export const webhooks = proxyActivities<Pick<Activities, 'deliverWebhook'>>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
});

/**
 * The rounds of `maintenance`. The schedule comes back in half a minute, so little is tried again here; a sweep that finds much
 * to do takes its time, as long as it says that it lives: each of its steps is at most a handful of requests of 5 s.
 */
export const sweeps = proxyActivities<
  Pick<
    Activities,
    | 'startForgottenJobs'
    | 'sendForgottenCalls'
    | 'endTerminatedJobs'
    | 'refillTeams'
    | 'abandonUnmadeTeams'
    | 'carryTeamChanges'
    | 'startOverdueDeliveries'
    | 'endTerminatedDeliveries'
    | 'forgetWhatIsOld'
  >
>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '60s',
  retry: { initialInterval: '1s', maximumAttempts: 2 },
});
