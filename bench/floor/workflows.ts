import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { FloorActivities, FloorCall } from './activities.ts';

const { callUpstream } = proxyActivities<FloorActivities>({ startToCloseTimeout: '60s' });

export const call = defineSignal<[FloorCall]>('call');
export const end = defineSignal('end');

/** The least that a job can be: each signal is one activity. */
export async function floorJob(): Promise<void> {
  let ended = false;
  setHandler(call, (floorCall) => void callUpstream(floorCall));
  setHandler(end, () => {
    ended = true;
  });
  await condition(() => ended);
}

/** Start, activity, end; the answer is the result of the workflow. */
export const floorSingle = (floorCall: FloorCall): Promise<string> => callUpstream(floorCall);
