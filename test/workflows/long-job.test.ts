import { randomUUID } from 'node:crypto';
import { cancel, complete, llmCall, updateMetadata } from '../../workflows/contract/messages.ts';
import { until } from '../support/until.ts';
import { call, cancellation, completion } from './job-signals.ts';
import { type JobHandle, jobsForTests } from './start-jobs.ts';

const jobs = jobsForTests();

/** Signals each call as soon as the one before has ended; the job must have no earlier call. */
async function callInTurn(job: JobHandle, ids: readonly string[]): Promise<void> {
  for (const [index, id] of ids.entries()) {
    await job.signal(llmCall, call(id));
    await until(() => jobs.current.log.length > index);
  }
}

test('a job past its hard history limit continues as new during 300 signals and runs every call', async () => {
  const job = await jobs.current.start({ hard_history_limit: 120 });
  const first = await job.describe();
  const ids = Array.from({ length: 300 }, (_, index) => (index % 10 === 0 ? `slow-${index}` : `call-${index}`));

  const eight = Array.from({ length: 8 }, async (_, lane) => {
    for (let index = lane; index < ids.length; index += 8) await job.signal(llmCall, call(ids[index]!));
  });
  await Promise.all(eight);
  await until(
    async () => (await jobs.current.client.workflow.getHandle(job.workflowId).describe()).runId !== first.runId,
  );
  await job.signal(complete, completion());
  await job.result();

  const made = jobs.current.log.filter((line) => line.startsWith('callUpstream')).map((line) => line.split(' ')[1]);
  expect(made.sort()).toEqual([...ids].sort());
});

test('a run past its soft history limit continues as new between two calls, however soon one follows the other', async () => {
  const job = await jobs.current.start({ soft_history_limit: 40 });
  const first = await job.describe();
  const ids = Array.from({ length: 60 }, (_, index) => `call-${index}`);

  await callInTurn(job, ids);
  const last = await job.describe();
  await job.signal(complete, completion());
  await job.result();

  expect(last.runId).not.toBe(first.runId);
  expect(last.historyLength).toBeLessThan(80);
  expect(jobs.current.log.slice(0, ids.length)).toEqual(ids.map((id) => `callUpstream ${id}`));
});

test('a run past its soft history limit runs new calls itself while another call is running', async () => {
  const job = await jobs.current.start({ soft_history_limit: 10 });
  await job.signal(llmCall, call('hangs-1'));
  const ids = Array.from({ length: 20 }, (_, index) => `call-${index}`);

  await callInTurn(job, ids);
  await job.signal(cancel, cancellation());
  await job.result();

  expect(jobs.current.log.slice(0, ids.length)).toEqual(ids.map((id) => `callUpstream ${id}`));
});

test('a call that was deferred to the next run is closed, not run, when the job is cancelled before', async () => {
  const job = await jobs.current.start({ hard_history_limit: 10 });
  await job.signal(llmCall, call('hangs-1'));
  for (let round = 0; round < 6; round += 1) {
    await job.signal(updateMetadata, { command_id: randomUUID(), metadata: { round } });
    await until(() => jobs.current.log.includes(`saveMetadata {"round":${round}}`));
  }

  await job.signal(llmCall, call('waits'));
  await job.signal(cancel, cancellation());
  const result = await job.result();

  expect(result.status).toBe('cancelled');
  expect(jobs.current.log).toContain('closeCall waits failed: cancelled');
  expect(jobs.current.log).not.toContain('callUpstream waits');
});
