import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

/**
 * The paid effect. Temporal starts it again only when its worker was lost: every other failure is caught inside and is an
 * answer. Attempts: a call that has outlived twenty workers is not going to succeed. The time is that of the slowest
 * upstream with all its fallbacks; the heartbeat is what notices a death.
 */
export const upstream = proxyActivities<Pick<Activities, 'callUpstream'>>({
  startToCloseTimeout: '2h',
  heartbeatTimeout: '10s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s', maximumAttempts: 20 },
});

/**
 * One statement each, in the same workflow task that asks for it. They have to succeed, so they are tried for ever; the
 * timeout is that of a statement and a wait for its lock.
 */
export const records = proxyLocalActivities<
  Pick<Activities, 'recordCost' | 'settleJob' | 'saveMetadata' | 'closeCall'>
>({
  startToCloseTimeout: '15s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' },
  localRetryThreshold: '30s',
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
 * The rounds of `maintenance`. The schedule comes back in a minute, so little is tried again here; a sweep that finds much
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
