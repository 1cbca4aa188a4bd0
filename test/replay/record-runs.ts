import { setTimeout as pause } from 'node:timers/promises';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { llmCall } from '../../workflows/contract/messages.ts';
import { jobsForTests } from '../workflows/start-jobs.ts';
import { writeHistory } from './write-history.ts';

/** Like record-histories.ts, and with it, for runs that were followed by another one. */
const jobs = jobsForTests(() => ({ takesMs: 12 }));

/** The first run of a job whose client asks again just when the call before ends. */
async function firstOfSeveral(): Promise<History> {
  const job = await jobs.current.start({ history_goal: 30 });
  const { runId } = await job.describe();
  for (let made = 0; made < 12; made += 1) {
    await job.signal(llmCall, { call_id: `call-${made}`, model_group: 'smart' });
    await pause(16 + Math.random() * 8);
  }
  return jobs.current.client.workflow.getHandle(job.workflowId, runId).fetchHistory();
}

/** Its last workflow task heard of a call's end and of the next call. */
function endedBetweenTheTwo({ events }: History): boolean {
  const all = events ?? [];
  const [before, last] = all
    .flatMap((event, index) => (event.workflowTaskCompletedEventAttributes ? [index] : []))
    .slice(-2);
  const heard = all.slice(before, last);
  return [
    all.at(-1)?.workflowExecutionContinuedAsNewEventAttributes,
    heard.some((event) => event.workflowExecutionSignaledEventAttributes),
    heard.some((event) => event.activityTaskCompletedEventAttributes),
  ].every(Boolean);
}

test('a run that ended between a call and the next', async () => {
  let history: History;
  do history = await firstOfSeveral();
  while (!endedBetweenTheTwo(history));
  writeHistory('kept-short', history);
});
