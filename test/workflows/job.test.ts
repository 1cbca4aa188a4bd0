import { randomUUID } from 'node:crypto';
import {
  cancel,
  commandDecision,
  complete,
  type JobView,
  jobState,
  llmCall,
  updateMetadata,
} from '../../workflows/contract/messages.ts';
import { newJobSnapshot } from '../../workflows/contract/workflows.ts';
import { until } from '../support/until.ts';
import { call, cancellation, completion } from './job-signals.ts';
import { type JobHandle, jobsForTests, someQueue, startJobs } from './start-jobs.ts';

const jobs = jobsForTests();

test('a job with two calls runs both and settles once', async () => {
  const job = await jobs.current.start();

  await job.signal(llmCall, call('a'));
  await job.signal(llmCall, call('fails-b'));
  await job.signal(complete, completion());
  const result = await job.result();

  expect(result.status).toBe('completed');
  expect(jobs.current.log.slice(0, 2).sort()).toEqual(['callUpstream a', 'callUpstream fails-b']);
  expect(jobs.current.log.slice(2)).toEqual(['settleJob completed']);
});

test('a call that is signalled twice runs once', async () => {
  const job = await jobs.current.start();

  await job.signal(llmCall, call('a'));
  await job.signal(llmCall, call('a'));
  await job.signal(complete, completion());
  await job.result();

  expect(jobs.current.log.filter((line) => line === 'callUpstream a')).toHaveLength(1);
});

test('a completion waits for the calls in flight, and refuses later ones (spec 3.5)', async () => {
  const job = await jobs.current.start();

  await job.signal(llmCall, call('slow-1'));
  await job.signal(complete, completion());
  await job.signal(llmCall, call('late'));
  await job.result();

  expect(jobs.current.log).toContain('closeCall late refused: completed');
  expect(jobs.current.log.indexOf('callUpstream slow-1')).toBeLessThan(jobs.current.log.indexOf('settleJob completed'));
  expect(jobs.current.log).not.toContain('callUpstream late');
});

describe('signals that come before the first workflow task are handled in their order', () => {
  const late = () => ({ command_id: randomUUID(), metadata: { late: true } });

  test('a call and an update after a completion are refused', async () => {
    const queue = someQueue();
    const job = await jobs.current.start({}, queue);
    await job.signal(llmCall, call('in-time'));
    await job.signal(complete, completion());
    await job.signal(updateMetadata, late());
    await job.signal(llmCall, call('late'));

    expect(await logOf(queue, job)).toEqual([
      'callUpstream in-time',
      'closeCall late refused: completed',
      'settleJob completed',
    ]);
  });

  test('a cancel after a completion that waits for nothing is refused', async () => {
    const queue = someQueue();
    const job = await jobs.current.start({}, queue);
    await job.signal(complete, completion());
    await job.signal(cancel, cancellation());

    expect(await logOf(queue, job)).toEqual(['settleJob completed']);
  });

  /** The activities of a worker that starts only now. */
  async function logOf(queue: string, job: JobHandle): Promise<string[]> {
    const worker = await startJobs({ taskQueue: queue });
    try {
      await job.result();
      return worker.log.toSorted();
    } finally {
      await worker.close();
    }
  }
});

test('a call that comes while the job is being settled is refused before the job ends', async () => {
  const slow = await startJobs({ recordsTakeMs: 500 });
  const job = await slow.start();
  await job.signal(complete, completion());
  await until(() => slow.running.has('settleJob'));

  await job.signal(llmCall, call('late'));
  await job.result();
  const log = [...slow.log];
  await slow.close();

  expect(log).toEqual(['settleJob completed', 'closeCall late refused: completed']);
});

test('fifty calls of a job run at the same time', async () => {
  const job = await jobs.current.start();

  await Promise.all(Array.from({ length: 50 }, (_, index) => job.signal(llmCall, call(`slow-${index}`))));
  await job.signal(complete, completion());
  await job.result();

  expect(jobs.current.mostAtOnce()).toBeGreaterThan(10);
  expect(jobs.current.log.filter((line) => line.startsWith('callUpstream'))).toHaveLength(50);
});

test('a call whose workers were all lost is closed as failed, and its job continues', async () => {
  const job = await jobs.current.start();

  await job.signal(llmCall, call('lost-1'));
  await job.signal(llmCall, call('b'));
  await job.signal(complete, completion());
  await job.result();

  const closed = jobs.current.log.indexOf('closeCall lost-1 failed: the worker was lost');
  expect(jobs.current.log.slice(closed)).toContain('recordCost');
});

test('a query returns the effect of the signals before it', async () => {
  const job = await jobs.current.start();
  const command_id = randomUUID();

  await job.signal(updateMetadata, { command_id, metadata: { a: 1 } });

  expect(await job.query(commandDecision, command_id)).toMatchObject({ accepted: true, metadata: { a: 1 } });
  expect(await job.query(jobState)).toMatchObject({ status: 'pending', metadata: { a: 1 } });
  expect(await job.query(commandDecision, randomUUID())).toBeNull();
});

test('a job that receives no signal times out (spec 3.10)', async () => {
  const job = await jobs.current.start({ idle_timeout_ms: 200 });

  const result = await job.result();

  expect(result.status).toBe('failed');
  expect(jobs.current.log).toEqual(['settleJob failed: Job timed out']);
});

test('a job does not time out while one of its calls runs', async () => {
  const job = await jobs.current.start({ idle_timeout_ms: 1_000 });
  const command_id = randomUUID();
  await job.signal(llmCall, call('hangs-1'));
  await job.signal(llmCall, call('slower-than-the-idle-time'));
  await until(() => jobs.current.log.includes('callUpstream slower-than-the-idle-time'));

  await job.signal(updateMetadata, { command_id, metadata: { a: 1 } });
  const decision = await job.query(commandDecision, command_id);
  await job.signal(cancel, cancellation());

  expect(decision).toMatchObject({ accepted: true });
  expect((await job.result()).status).toBe('cancelled');
});

test.each([
  ['a', 'completed'],
  ['fails-1', 'failed'],
])('a single-call job with the call %s ends as %s when it ends', async (callId, status) => {
  const job = await jobs.current.start({ job: { single_call: true } });

  await job.signal(llmCall, { ...call(callId), opens_job: true });

  expect((await job.result()).status).toBe(status);
});

test('a job whose earlier workflow was terminated closes the calls of that workflow, refuses later calls and settles once', async () => {
  const view: JobView = { status: 'in_progress', started_at: 1, model_groups_used: [], metadata: {}, updated_at: 1 };
  const ending = { status: 'failed', error_message: 'terminated', cancel_reason: null } as const;
  const identity = {
    job_id: randomUUID(),
    team_id: 't',
    organization_id: 'o',
    job_type: 'report',
    single_call: false,
    for_task: false,
  };
  const state = newJobSnapshot(1, identity, view, { ending, terminated_calls: ['a', 'b'] });
  const job = await jobs.current.start({ state });

  await job.signal(llmCall, call('late'));
  await job.signal(complete, completion());
  await job.result();

  expect([...jobs.current.log].sort()).toEqual([
    "closeCall a failed: the job's workflow was terminated",
    "closeCall b failed: the job's workflow was terminated",
    'closeCall late refused: failed',
    'settleJob failed: terminated',
  ]);
  expect(jobs.current.log.at(-1)).toBe('settleJob failed: terminated');
}, 30_000);
