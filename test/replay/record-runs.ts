import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { llmCall } from '../../workflows/messages.ts';
import { type StartedJobs, startJobs } from '../workflows/start-jobs.ts';

/** Like record-histories.ts, and with it, for runs that were followed by another one. */
const version = process.env.RECORD_VERSION ?? 'v1';
let jobs: StartedJobs;
beforeEach(async () => {
  jobs = await startJobs(() => ({ takesMs: 12 }));
});
afterEach(() => jobs.close());

/** The first run of a job whose client asks again just when the call before ends. */
async function firstOfSeveral() {
  const job = await jobs.start({ history_goal: 30 });
  const { runId } = await job.describe();
  for (let made = 0; made < 12; made += 1) {
    await job.signal(llmCall, { call_id: `call-${made}`, model_group: 'smart' });
    await pause(16 + Math.random() * 8);
  }
  return jobs.client.workflow.getHandle(job.workflowId, runId).fetchHistory();
}

/** Its last workflow task heard of a call's end and of the next call. */
function endedBetweenTheTwo({ events }: Awaited<ReturnType<typeof firstOfSeveral>>): boolean {
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
  let history: Awaited<ReturnType<typeof firstOfSeveral>>;
  do history = await firstOfSeveral();
  while (!endedBetweenTheTwo(history));
  const file = fileURLToPath(new URL(`./histories/${version}-kept-short.json`, import.meta.url));
  writeFileSync(file, `${historyToJSON(history).replaceAll(`${process.pid}@${hostname()}`, 'worker')}\n`);
});
