import { isUuid } from '../../src/domain/ids.ts';
import type { DecidedActivity } from '../../src/temporal/worker/observe-commands.ts';
import type { Activities, CallUpstreamInput } from '../../workflows/contract/activities.ts';
import type { ActivityDeps } from '../ports.ts';
import { beginEarly } from './call-attempt.ts';

const callUpstream: keyof Activities = 'callUpstream';

/**
 * Gives a head start to the calls among what workflows decide on. Not to the first call of a job, which begins the job as well:
 * that waits until its decision is in the history.
 */
export const startSpeculatively =
  (deps: ActivityDeps) =>
  ({ workflowId, activityType, input }: DecidedActivity): void => {
    if (activityType !== callUpstream) return;
    const call = input() as CallUpstreamInput;
    if (!isUuid(call.call_id)) return;
    const begin = () => beginEarly(deps, { call, attempt: 1, workflowId });
    deps.speculativeStarts.decided(call.call_id, call.starts_job ? undefined : begin);
  };
