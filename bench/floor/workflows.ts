import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { FloorActivities, FloorCall } from './activities.ts';

const { callUpstream } = proxyActivities<FloorActivities>({ startToCloseTimeout: '60s' });

export const call = defineSignal<[FloorCall]>('call');
export const end = defineSignal('end');

/** A job with nothing in it: each signal is one activity. */
export async function floorJob(): Promise<void> {
  let ended = false;
  setHandler(call, (asked) => void callUpstream(asked));
  setHandler(end, () => {
    ended = true;
  });
  await condition(() => ended);
}

/** Start, activity, end; the answer is the workflow's. */
export const floorSingle = (asked: FloorCall): Promise<string> => callUpstream(asked);
