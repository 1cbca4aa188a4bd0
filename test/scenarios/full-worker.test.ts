import { openWorkerDeps } from '../../src/deps.ts';
import { teamHolder } from '../../src/holders/holder.ts';
import { createWorkerMeasures } from '../../src/holders/measures.ts';
import { createSlots } from '../../src/holders/slots.ts';
import { createLog } from '../../src/log.ts';
import { type RunningWorker, runWorker } from '../../src/worker/run-worker.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { until } from '../support/until.ts';
import { untilRequested } from '../support/until-requested.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

/** A worker that runs one call at a time. */
let worker: RunningWorker;
const refused = { count: 0 };
beforeAll(async () => {
  const { config, deps } = gateway.current;
  const opened = await openWorkerDeps(config, createLog(config.LOG_LEVEL, 'test'));
  const measures = createWorkerMeasures(config);
  const calls = createSlots();
  const takeSlot: typeof measures.takeSlot = (kind) => {
    const leave = kind === 'calls' ? calls.take(teamHolder('all'), 1) : measures.takeSlot(kind);
    if (!leave) refused.count += 1;
    return leave;
  };
  const running = await runWorker({ ...opened.deps, measures: { ...measures, takeSlot } });
  worker = { ...running, stopped: running.stopped.finally(opened.close) };
  await until(() => !deps.workerWatch.isUnavailable());
});
afterAll(async () => {
  worker.shutdown();
  await worker.stopped;
});

/** `spec 3.4`: the end of a job does not wait for calls of others. */
test('in a worker that is full of calls another one waits and is made later, and a job of another team ends at once (spec 4.20)', async () => {
  const hanging = await given.team({ models: ['sim-hang'] });
  const other = await given.team();
  const [blocked, job, ended] = [await given.job(hanging), await given.job(other), await given.job(other)];
  const first = as(gateway, hanging).call(blocked);
  await untilRequested(gateway, 'sim-hang');

  const waiting = as(gateway, other).call(job);
  await until(() => refused.count > 0);
  const completed = await as(gateway, other).complete(ended);
  const stillHanging = gateway.current.simulator.requestsFor({ model: 'sim-hang' })[0]!.outcome;
  expectOk(await as(gateway, hanging).post(`/api/jobs/${blocked}/cancel`));
  await first;

  expect(expectOk(completed)).toMatchObject({ status: 'completed' });
  expect(stillHanging).toBe('running');
  expect(expectOk(await waiting).response.content).toEqual(expect.any(String));
});
