import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { NativeConnection, Worker } from '@temporalio/worker';
import { newestJobVersion } from '../../src/domain/workflow-version.ts';
import { llmCall } from '../../workflows/contract/messages.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';
import { call, completion } from './job-signals.ts';
import { type JobHandle, jobsForTests, someQueue, startJobs } from './start-jobs.ts';

const jobs = jobsForTests();

/** A worker of a later release. */
async function startNewerWorker(taskQueue: string): Promise<() => Promise<void>> {
  const connection = await NativeConnection.connect({ address: services.temporalAddress });
  const worker = await Worker.create({
    connection,
    namespace: services.temporalNamespace,
    taskQueue,
    workflowsPath: fileURLToPath(new URL('newer/job.ts', import.meta.url)),
  });
  const stopped = worker.run();
  return async () => {
    worker.shutdown();
    await stopped;
    await connection.close();
  };
}

const failuresOf = async (job: JobHandle): Promise<string[]> =>
  ((await job.fetchHistory()).events ?? []).flatMap(
    (event) => event.workflowTaskFailedEventAttributes?.failure?.message ?? [],
  );

test('a job of a newer version waits on a worker that does not support it, without an effect, and ends on a worker that does (spec 15.9)', async () => {
  const older = await startJobs();
  const { taskQueue } = older;
  const job = await jobs.current.start({ version: newestJobVersion + 1 }, taskQueue);
  await job.signal(llmCall, call('a'));
  await until(async () => (await failuresOf(job)).length > 0);
  expect((await failuresOf(job)).filter((message) => !message.includes('needs a newer worker'))).toEqual([]);
  expect((await job.describe()).status.name).toBe('RUNNING');
  expect(older.log).toEqual([]);
  await older.close();

  const stop = await startNewerWorker(taskQueue);

  expect(await job.result()).toBe('executed by a newer worker');
  await stop();
}, 90_000);

const program = fileURLToPath(new URL('../../src/replay.ts', import.meta.url));

/** `npm run replay`: its exit code and what it has printed. */
async function replay(...args: string[]) {
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    TEMPORAL_NAMESPACE: services.temporalNamespace,
    WORKFLOW_BUNDLE: services.workflowBundlePath,
  };
  const all = ['--disable-warning=ExperimentalWarning', program, '--address', services.temporalAddress, ...args];
  return promisify(execFile)(process.execPath, all, { env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stderr }) => ({ code, output: stderr }),
  );
}

test('npm run replay replays the histories that match its query and changes nothing (spec 15.10)', async () => {
  await jobs.current.start();
  const queue = `TaskQueue = '${jobs.current.taskQueue}'`;
  const ended = await jobs.current.start();
  await ended.signal(llmCall, call('a'));
  await ended.signal('complete', completion());
  await ended.result();
  const open = await jobs.current.start();
  await open.signal(llmCall, call('b'));
  await until(() => jobs.current.log.includes('callUpstream b'));
  const isAtRest = async (job: JobHandle) => {
    const { events = [] } = await job.fetchHistory();
    return (
      events!.some((event) => event.activityTaskCompletedEventAttributes) &&
      events!.at(-1)!.workflowTaskCompletedEventAttributes
    );
  };
  await until(async () => Boolean(await isAtRest(open)));
  const lengthOf = async (job: JobHandle) => (await job.describe()).historyLength;
  await until(async () => (await jobs.current.client.workflow.count(queue)).count === 3);
  const before = [await lengthOf(ended), await lengthOf(open)];

  expect(await replay('--query', queue)).toEqual({ code: 0, output: '{"replayed":3}\n' });
  expect(await replay('--query', queue, '--limit', '2')).toEqual({ code: 0, output: '{"replayed":2}\n' });
  expect([await lengthOf(ended), await lengthOf(open)]).toEqual(before);
}, 90_000);

test('npm run replay fails at the first history that this code would continue differently (spec 15.10)', async () => {
  const taskQueue = someQueue();
  const other = await jobs.current.start({}, taskQueue);
  const stop = await startNewerWorker(taskQueue);
  await other.result();
  await stop();
  const query = `TaskQueue = '${taskQueue}'`;
  await until(async () => (await jobs.current.client.workflow.count(query)).count === 1);

  const { code, output } = await replay('--query', query);

  expect(code).toBe(1);
  expect(output).toContain(`${other.workflowId} (run `);
  expect(output).toContain('does not replay');
}, 90_000);
