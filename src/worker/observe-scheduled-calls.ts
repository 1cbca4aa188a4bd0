import { startSpeculatively } from '../../activities/call-upstream/speculative-start.ts';
import type { ActivityDeps } from '../../activities/ports.ts';
import type { Activities, CallUpstreamInput } from '../../workflows/contract/activities.ts';
import { isUuid } from '../domain/ids.ts';
import { observeCommands, type ScheduledActivity, type WorkflowCreator } from './observe-commands.ts';

const callUpstream: keyof Activities = 'callUpstream';

/** In a worker that is fuller than this the server may have to queue what a workflow schedules. */
const nearlyFull = 0.9;

/** How many activities a worker runs at once, and is given at most in answer to one workflow task. */
interface ActivityBounds {
  maxConcurrentActivityTaskExecutions: number;
  maxEagerActivityReservationsPerWorkflowTask: number;
}

/**
 * A wrapper of what runs a worker's workflows, which starts the calls among the activities that they schedule. Undefined with
 * `SPECULATIVE_START=off`: then nothing observes the workflows.
 */
export function observeScheduledCalls(deps: ActivityDeps, bounds: ActivityBounds, activitiesRunning: () => number) {
  if (!deps.config.SPECULATIVE_START) return (creator: WorkflowCreator) => creator;
  const onScheduled = ({ workflowId, activityType, input: scheduledInput }: ScheduledActivity): void => {
    if (activityType !== callUpstream) return;
    if (activitiesRunning() >= bounds.maxConcurrentActivityTaskExecutions * nearlyFull) return;
    const input = scheduledInput() as CallUpstreamInput;
    if (!isUuid(input.call_id)) return;
    const start = () => startSpeculatively(deps, input, workflowId);
    // The first call of a job changes the job too, which cannot be undone: it waits for its confirmation.
    deps.speculativeStarts.schedule(input.call_id, input.starts_job ? undefined : start);
  };
  return (creator: WorkflowCreator) =>
    observeCommands(creator, bounds.maxEagerActivityReservationsPerWorkflowTask, onScheduled);
}
