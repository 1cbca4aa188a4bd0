import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { cancel, complete, llmCall, updateMetadata } from '../../workflows/contract/messages.ts';
import { until } from '../support/until.ts';
import { call, cancellation, completion } from '../workflows/job-signals.ts';
import { type JobHandle, jobsForTests, someQueue, startJobs } from '../workflows/start-jobs.ts';
import { writeHistory } from './write-history.ts';

// Like record-jobs.ts, and with it, for histories that need scripted activities or short limits.

const jobs = jobsForTests();

const runOf = (job: JobHandle, runId: string) => jobs.current.client.workflow.getHandle(job.workflowId, runId);

/** The first run of a job whose client makes the next call just when the one before ends. */
async function firstOfSeveral(): Promise<History> {
  const quick = await startJobs({ script: () => ({ takesMs: 12 }) });
  const job = await quick.start({ soft_history_limit: 30 });
  const { runId } = await job.describe();
  for (let made = 0; made < 12; made += 1) {
    await job.signal(llmCall, call(`call-${made}`));
    await pause(16 + Math.random() * 8);
  }
  const history = await quick.client.workflow.getHandle(job.workflowId, runId).fetchHistory();
  await quick.close();
  return history;
}

/** Whether a run continued as new, and its last workflow task received a call's end together with the next call. */
function endedBetweenTwoCalls({ events }: History): boolean {
  const all = events ?? [];
  const [before, last] = all
    .flatMap((event, index) => (event.workflowTaskCompletedEventAttributes ? [index] : []))
    .slice(-2);
  const received = all.slice(before, last);
  return [
    all.at(-1)?.workflowExecutionContinuedAsNewEventAttributes,
    received.some((event) => event.workflowExecutionSignaledEventAttributes),
    received.some((event) => event.activityTaskCompletedEventAttributes),
  ].every(Boolean);
}

test('a run past its soft history limit that ended between a call and the next', async () => {
  let history: History;
  do history = await firstOfSeveral();
  while (!endedBetweenTwoCalls(history));
  writeHistory('continued-between-calls', history);
});

test('a run past its hard history limit that deferred calls, and the run that began with them', async () => {
  const job = await jobs.current.start({ hard_history_limit: 10 });
  const { runId } = await job.describe();
  await job.signal(llmCall, call('slower-1'));
  for (let round = 0; round < 6; round += 1) {
    await job.signal(updateMetadata, { command_id: randomUUID(), metadata: { round } });
    await until(() => jobs.current.log.includes(`saveMetadata {"round":${round}}`));
  }
  await job.signal(llmCall, call('deferred-1'));
  await job.signal(llmCall, call('deferred-2'));
  await until(() => jobs.current.log.includes('callUpstream deferred-2'));
  const next = await job.describe();
  await job.signal(complete, completion());
  await job.result();

  expect(next.runId).not.toBe(runId);
  writeHistory('continued-with-deferred-calls', await runOf(job, runId).fetchHistory());
  writeHistory('begun-with-deferred-calls', await runOf(job, next.runId).fetchHistory());
});

test('a job with a call whose workers were lost', async () => {
  const job = await jobs.current.start();
  await job.signal(llmCall, call('lost-1'));
  await job.signal(complete, completion());
  await job.result();
  writeHistory('lost-call', await job.fetchHistory());
});

test('a job whose only call was retracted', async () => {
  const job = await jobs.current.start();
  await job.signal(llmCall, call('retracted-1'));
  await until(() => jobs.current.log.includes('callUpstream retracted-1'));
  await job.signal(complete, completion());
  await job.result();
  writeHistory('retracted-call', await job.fetchHistory());
});

test('a job that timed out', async () => {
  const job = await jobs.current.start({ idle_timeout_ms: 200 });
  await job.result();
  writeHistory('timed-out', await job.fetchHistory());
});

test('a job that received malformed signals', async () => {
  const job = await jobs.current.start();
  await job.signal('cancel', { command_id: 'one', reason: 'x'.repeat(1_001) });
  await job.signal('complete');
  await job.signal('unknown', { command_id: 'two' });
  await job.signal(llmCall, call('a'));
  await job.signal(complete, completion());
  await job.result();
  writeHistory('malformed-signals', await job.fetchHistory());
});

test('a job whose signals came before its first workflow task, the last ones after its completion', async () => {
  const queue = someQueue();
  const job = await jobs.current.start({}, queue);
  await job.signal(llmCall, call('early'));
  await job.signal(complete, completion());
  await job.signal(updateMetadata, { command_id: randomUUID(), metadata: { late: true } });
  await job.signal(llmCall, call('late'));
  const worker = await startJobs({ taskQueue: queue });
  await job.result();
  await worker.close();
  writeHistory('signals-before-first-task', await job.fetchHistory());
});

test('a job with a deferred call that is cancelled before the next run', async () => {
  const job = await jobs.current.start({ hard_history_limit: 10 });
  await job.signal(llmCall, call('hangs-1'));
  for (let round = 0; round < 6; round += 1) {
    await job.signal(updateMetadata, { command_id: randomUUID(), metadata: { round } });
    await until(() => jobs.current.log.includes(`saveMetadata {"round":${round}}`));
  }
  await job.signal(llmCall, call('deferred-1'));
  await job.signal(cancel, cancellation());
  await job.result();
  writeHistory('cancelled-with-deferred-call', await job.fetchHistory());
});
