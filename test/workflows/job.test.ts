import { randomUUID } from 'node:crypto';
import { cancel, commandOutcome, complete, jobState, llmCall, updateMetadata } from '../../workflows/messages.ts';
import { until } from '../support/until.ts';
import { type CallScript, type StartedJobs, someQueue, startJobs } from './start-jobs.ts';

/** `hangs-1` hangs, `fails-2` fails, `slow-3` takes a moment, `slower-4` some more; any other call succeeds at once. */
const byName: CallScript = (callId) => {
  if (callId.startsWith('hangs')) return 'hangs';
  if (callId.startsWith('fails')) return 'fails';
  if (callId.startsWith('lost')) return 'is lost';
  if (callId.startsWith('slower')) return { takesMs: 1_500 };
  return callId.startsWith('slow') ? { takesMs: 300 } : 'ok';
};

let jobs: StartedJobs;
beforeEach(async () => {
  jobs = await startJobs(byName);
});
afterEach(() => jobs.close());

const call = (call_id: string) => ({ call_id, model_group: 'smart' });
const completion = (status: 'completed' | 'failed' = 'completed') => ({
  command_id: randomUUID(),
  status,
  metadata: null,
  error_message: status === 'failed' ? 'gave up' : null,
});
/** Of a job that has ended nothing yet; each as soon as the one before has. */
async function callInTurn(job: Awaited<ReturnType<typeof jobs.start>>, ids: readonly string[]): Promise<void> {
  for (const [index, id] of ids.entries()) {
    await job.signal(llmCall, call(id));
    await until(() => jobs.log.length > index);
  }
}

test('a job runs its calls and settles once', async () => {
  const job = await jobs.start();

  await job.signal(llmCall, call('a'));
  await job.signal(llmCall, call('fails-b'));
  await job.signal(complete, completion());
  const result = await job.result();

  expect(result.status).toBe('completed');
  expect(jobs.log.slice(0, 2).sort()).toEqual(['callUpstream a', 'callUpstream fails-b']);
  expect(jobs.log.slice(2)).toEqual(['settleJob completed']);
});

test.each<[string, unknown[]]>([
  ['cancel', []],
  ['complete', []],
  ['updateMetadata', []],
  ['llmCall', []],
  ['llmCall', [null]],
  ['llmCall', [{ call_id: 7 }]],
  ['complete', [{ command_id: 'one', status: 'bogus' }]],
  ['complete', [{ command_id: 'one', status: 'completed', metadata: 'text' }]],
  ['updateMetadata', [{ command_id: 'one', metadata: [] }]],
  ['cancel', [{ command_id: 'one', reason: {} }]],
  ['cancel', ['text']],
  ['cancel', [{ command_id: 'one', reason: 'x'.repeat(1_001) }]],
  ['complete', [{ command_id: 'one', status: 'failed', error_message: 'x'.repeat(1_001) }]],
  ['complete', [{ command_id: 'one', status: 'failed', error_message: 'half \ud83d' }]],
  ['updateMetadata', [{ command_id: 'one', metadata: { key: ['\u0000'] } }]],
  ['updateMetadata', [{ command_id: 'one', metadata: { deep: JSON.parse('['.repeat(99) + ']'.repeat(99)) } }]],
  ['llmCall', [{ call_id: 'b', model_group: '\u0000' }]],
  ['__proto__', []],
])('what an operator sends as %s with %j and cannot be understood is not heard', async (name, message) => {
  const job = await jobs.start();

  await job.signal(name, ...message);
  await job.signal(llmCall, call('a'));
  await job.signal(name, ...message);
  await job.signal(complete, completion());

  expect((await job.result()).status).toBe('completed');
  expect(jobs.log).toEqual(['callUpstream a', 'settleJob completed']);
});

test('a signal that comes twice is one call', async () => {
  const job = await jobs.start();

  await job.signal(llmCall, call('a'));
  await job.signal(llmCall, call('a'));
  await job.signal(complete, completion());
  await job.result();

  expect(jobs.log.filter((line) => line === 'callUpstream a')).toHaveLength(1);
});

test('completing waits for the calls in flight and refuses the ones that come later', async () => {
  const job = await jobs.start();

  await job.signal(llmCall, call('slow-1'));
  await job.signal(complete, completion());
  await job.signal(llmCall, call('late'));
  await job.result();

  expect(jobs.log).toContain('closeCall late refused: completed');
  expect(jobs.log.indexOf('callUpstream slow-1')).toBeLessThan(jobs.log.indexOf('settleJob completed'));
  expect(jobs.log).not.toContain('callUpstream late');
});

describe('what came before the first task is heard in the order in which it came', () => {
  const late = () => ({ command_id: randomUUID(), metadata: { late: true } });

  test('a call and an update after a completion are refused', async () => {
    const queue = someQueue();
    const job = await jobs.start({}, queue);
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
    const job = await jobs.start({}, queue);
    await job.signal(complete, completion());
    await job.signal(cancel, { command_id: randomUUID(), reason: null });

    expect(await logOf(queue, job)).toEqual(['settleJob completed']);
  });

  /** What a worker that comes only now does for the job. */
  async function logOf(queue: string, job: Awaited<ReturnType<typeof jobs.start>>): Promise<string[]> {
    const worker = await startJobs(byName, queue);
    try {
      await job.result();
      return worker.log.toSorted();
    } finally {
      await worker.close();
    }
  }
});

test('fifty calls run at once', async () => {
  const job = await jobs.start();

  await Promise.all(Array.from({ length: 50 }, (_, index) => job.signal(llmCall, call(`slow-${index}`))));
  await job.signal(complete, completion());
  await job.result();

  expect(jobs.mostAtOnce()).toBeGreaterThan(10);
  expect(jobs.log.filter((line) => line.startsWith('callUpstream'))).toHaveLength(50);
});

test('cancelling aborts the calls in flight', async () => {
  const job = await jobs.start();
  await job.signal(llmCall, call('hangs-1'));
  await until(() => jobs.running.has('hangs-1'));

  await job.signal(cancel, { command_id: randomUUID(), reason: 'not needed' });
  const result = await job.result();

  expect(result.status).toBe('cancelled');
  expect(jobs.log.slice(0, 2).sort()).toEqual(['abortCalls', 'callUpstream hangs-1']);
  expect(jobs.log.slice(2)).toEqual(['settleJob cancelled']);
});

test('cancelling aborts what is in flight among hundreds of calls, the first of them like the last', async () => {
  const job = await jobs.start();
  const hanging = ['hangs-first', 'hangs-halfway', 'hangs-last'];
  const among = (from: number) => Array.from({ length: 60 }, (_, index) => call(`a-${from + index}`));
  const signals = [call(hanging[0]!), ...among(0), call(hanging[1]!), ...among(60), call(hanging[2]!)];
  for (const signal of signals) await job.signal(llmCall, signal);
  const ended = signals.length - hanging.length;
  await until(() => jobs.log.length === ended && jobs.running.size === hanging.length);

  await job.signal(cancel, { command_id: randomUUID(), reason: null });
  const result = await job.result();

  expect(result.status).toBe('cancelled');
  expect(jobs.log.slice(ended).sort()).toEqual([
    'abortCalls',
    ...hanging.map((id) => `callUpstream ${id}`),
    'settleJob cancelled',
  ]);
});

test('cancelling aborts the calls that a completion waits for, and the job is cancelled', async () => {
  const job = await jobs.start();
  await job.signal(llmCall, call('hangs-1'));
  await until(() => jobs.running.has('hangs-1'));
  await job.signal(complete, completion());

  await job.signal(cancel, { command_id: randomUUID(), reason: 'it hangs' });
  const result = await job.result();

  expect(result.status).toBe('cancelled');
  expect(jobs.log.slice(0, 2).sort()).toEqual(['abortCalls', 'callUpstream hangs-1']);
  expect(jobs.log.slice(2)).toEqual(['settleJob cancelled']);
});

test('an operator who cancels the workflow cancels the job', async () => {
  const job = await jobs.start();
  await job.signal(llmCall, call('hangs-1'));
  await until(() => jobs.running.has('hangs-1'));

  await job.cancel();

  expect((await job.result()).status).toBe('cancelled');
});

test('a call whose workers were all lost is closed as failed, and the job goes on', async () => {
  const job = await jobs.start();

  await job.signal(llmCall, call('lost-1'));
  await job.signal(llmCall, call('b'));
  await job.signal(complete, completion());
  await job.result();

  const closed = jobs.log.indexOf('closeCall lost-1 failed: the worker was lost');
  expect(jobs.log.slice(closed)).toContain('recordCost');
});

test('a query sees what was signalled before it', async () => {
  const job = await jobs.start();
  const command_id = randomUUID();

  await job.signal(updateMetadata, { command_id, metadata: { a: 1 } });

  expect(await job.query(commandOutcome, command_id)).toMatchObject({ accepted: true, metadata: { a: 1 } });
  expect(await job.query(jobState)).toMatchObject({ status: 'pending', metadata: { a: 1 } });
  expect(await job.query(commandOutcome, randomUUID())).toBeNull();
});

test('a job that nobody asks anything of times out', async () => {
  const job = await jobs.start({ idle_timeout_ms: 200 });

  const result = await job.result();

  expect(result.status).toBe('failed');
  expect(jobs.log).toEqual(['settleJob failed: Job timed out']);
});

test('a job does not time out while a call of it runs', async () => {
  const job = await jobs.start({ idle_timeout_ms: 200 });
  const command_id = randomUUID();
  await job.signal(llmCall, call('hangs-1'));
  await job.signal(llmCall, call('slower-than-the-idle-time'));
  await until(() => jobs.log.includes('callUpstream slower-than-the-idle-time'));

  await job.signal(updateMetadata, { command_id, metadata: { a: 1 } });
  const verdict = await job.query(commandOutcome, command_id);
  await job.signal(cancel, { command_id: randomUUID(), reason: null });

  expect(verdict).toMatchObject({ accepted: true });
  expect((await job.result()).status).toBe('cancelled');
});

test.each([
  ['a', 'completed'],
  ['fails-1', 'failed'],
])('a single-call job ends with its call %s as %s', async (callId, status) => {
  const job = await jobs.start({ job: { single_call: true } });

  await job.signal(llmCall, { ...call(callId), opens_job: true });

  expect((await job.result()).status).toBe(status);
});

test('a long job continues as new under a storm of signals and loses none', async () => {
  const job = await jobs.start({ history_limit: 120 });
  const first = await job.describe();
  const ids = Array.from({ length: 300 }, (_, index) => (index % 10 === 0 ? `slow-${index}` : `call-${index}`));

  const eight = Array.from({ length: 8 }, async (_, lane) => {
    for (let index = lane; index < ids.length; index += 8) await job.signal(llmCall, call(ids[index]!));
  });
  await Promise.all(eight);
  await until(async () => (await jobs.client.workflow.getHandle(job.workflowId).describe()).runId !== first.runId);
  await job.signal(complete, completion());
  await job.result();

  const made = jobs.log.filter((line) => line.startsWith('callUpstream')).map((line) => line.split(' ')[1]);
  expect(made.sort()).toEqual([...ids].sort());
});

test('a run makes room between two calls, however soon each follows the one before', async () => {
  const job = await jobs.start({ history_goal: 40 });
  const first = await job.describe();
  const ids = Array.from({ length: 60 }, (_, index) => `call-${index}`);

  await callInTurn(job, ids);
  const last = await job.describe();
  await job.signal(complete, completion());
  await job.result();

  expect(last.runId).not.toBe(first.runId);
  expect(last.historyLength).toBeLessThan(80);
  expect(jobs.log.slice(0, ids.length)).toEqual(ids.map((id) => `callUpstream ${id}`));
});

test('a long run that is busy begins its calls all the same', async () => {
  const job = await jobs.start({ history_goal: 10 });
  await job.signal(llmCall, call('hangs-1'));
  const ids = Array.from({ length: 20 }, (_, index) => `call-${index}`);

  await callInTurn(job, ids);
  await job.signal(cancel, { command_id: randomUUID(), reason: null });
  await job.result();

  expect(jobs.log.slice(0, ids.length)).toEqual(ids.map((id) => `callUpstream ${id}`));
});

test('a call that waited for the next run is not made when the job is cancelled meanwhile', async () => {
  const job = await jobs.start({ history_limit: 10 });
  await job.signal(llmCall, call('hangs-1'));
  for (let round = 0; round < 6; round += 1) {
    await job.signal(updateMetadata, { command_id: randomUUID(), metadata: { round } });
    await until(() => jobs.log.includes(`saveMetadata {"round":${round}}`));
  }

  await job.signal(llmCall, call('waits'));
  await job.signal(cancel, { command_id: randomUUID(), reason: null });
  const result = await job.result();

  expect(result.status).toBe('cancelled');
  expect(jobs.log).toContain('closeCall waits failed: cancelled');
  expect(jobs.log).not.toContain('callUpstream waits');
});
