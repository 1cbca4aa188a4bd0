import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { workflowId } from '../../src/domain/ids.ts';
import { cacheFolder } from '../../tools/dev/folders.ts';
import { findTemporal } from '../../tools/dev/services/temporal/find-temporal.ts';
import { executeCommands, readCommands } from '../support/documented-commands.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../support/given.ts';
import { until } from '../support/until.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const deployment = unique('deployment');

const workers: WorkerProcess[] = [];
afterEach(() => Promise.all(workers.map((worker) => worker.kill())));

const startVersion = async (WORKER_BUILD_ID: string): Promise<WorkerProcess> => {
  const worker = await startWorkerProcess(gateway.current, { WORKER_DEPLOYMENT: deployment, WORKER_BUILD_ID });
  workers.push(worker);
  return worker;
};

let folderOfTemporal: string;
beforeAll(async () => {
  folderOfTemporal = dirname(await findTemporal(cacheFolder(tmpdir()), () => undefined));
});

/** Executes a block of commands of the section for a version, again until a worker of it has polled. */
async function execute(block: number, build: string): Promise<void> {
  const commands = readCommands('Releases by Worker Deployment')[block]!;
  const environment = {
    ...gateway.current.environment,
    PATH: folderOfTemporal,
    WORKER_DEPLOYMENT: deployment,
    BUILD: build,
    PERCENT: '100',
  };
  const executed = () => executeCommands(commands, environment).then(() => 'executed', ({ message }: Error) => message); // biome-ignore format: one step
  await until(executed, (outcome) => outcome === 'executed');
}
const [ramp, endRamp, setCurrent] = [0, 1, 2];

/** The process ids of the workers that executed the calls of a job, from old to new. */
async function workersOf(jobId: string): Promise<number[]> {
  const handle = gateway.current.deps.temporal.client.workflow.getHandle(workflowId.job(jobId));
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ activityTaskStartedEventAttributes: started }) =>
    started?.identity ? [Number.parseInt(started.identity, 10)] : [],
  );
}

test('the documented commands move open and new jobs to a version, for a share of them first, and back to the one before (spec 15.9)', async () => {
  const team = await given.team({ credits: 100 });
  const client = as(gateway, team);
  /** Makes a call. The worker that executed it is in the history when the job has received its end. */
  const workerOfCall = async (jobId: string): Promise<number> => {
    const before = (await workersOf(jobId)).length;
    expectOk(await client.call(jobId));
    const workers = await until(() => workersOf(jobId), ({ length }) => length > before); // biome-ignore format: one step
    return workers.at(-1)!;
  };
  const newJob = () => given.job(team);
  const untilCallsAreMadeBy = async (jobId: string, { pid }: WorkerProcess) =>
    void (await until(() => workerOfCall(jobId), (worker) => worker === pid)); // biome-ignore format: one step

  const first = await startVersion('1.0.0');
  await execute(setCurrent, '1.0.0');
  const job = await newJob();
  await untilCallsAreMadeBy(job, first);

  const second = await startVersion('1.1.0');
  expect(await workerOfCall(job)).toBe(first.pid);
  expect(await workerOfCall(await newJob())).toBe(first.pid);
  await execute(ramp, '1.1.0');
  await untilCallsAreMadeBy(await newJob(), second);
  await untilCallsAreMadeBy(job, second);
  await execute(endRamp, '1.1.0');
  await untilCallsAreMadeBy(await newJob(), first);

  await execute(setCurrent, '1.1.0');
  await untilCallsAreMadeBy(job, second);
  await untilCallsAreMadeBy(await newJob(), second);

  await execute(setCurrent, '1.0.0');
  await untilCallsAreMadeBy(job, first);
  expect(await second.end()).toBe(0);
  expect(await workerOfCall(job)).toBe(first.pid);
  expect(expectOk(await client.complete(job)).status).toBe('completed');
}, 180_000);
