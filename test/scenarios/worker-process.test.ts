import { hostname } from 'node:os';
import { version } from '../../src/version.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { untilRequested } from '../support/until-requested.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

let worker: WorkerProcess;
afterEach(() => worker.kill());

const probe = (path: string) => {
  const { metrics_url } = worker.lines.find(({ msg }) => msg === 'worker: started');
  return sendRequest(new URL(metrics_url).origin, 'get', path);
};

test('a worker that runs is live and ready on METRICS_PORT, and serves nothing else there but its metrics (spec 15.4)', async () => {
  worker = await startWorkerProcess(gateway.current, { METRICS_PORT: '0', LOG_LEVEL: 'info' });
  await until(() => worker.lines.some(({ msg }) => msg === 'worker: started'));

  const [live, ready, metrics] = await Promise.all(['/health/live', '/health/ready', '/metrics'].map(probe));

  expect(live).toMatchObject({ status: 200, body: { status: 'live', service: 'job-gateway' } });
  expect(ready).toMatchObject({ status: 200, body: { status: 'ready' } });
  expect(metrics!.text).toContain('gateway_calls_total');
  for (const path of ['/', '/health', '/docs', '/health/live?a=1']) expect((await probe(path)).status).toBe(404);
});

test("the metrics of a worker are followed by those of Temporal's SDK, and a line of its log has version and instance (operations 5.1) (spec 14.4, spec 14.9)", async () => {
  worker = await startWorkerProcess(gateway.current, { METRICS_PORT: '0', LOG_LEVEL: 'info' });
  expectOk(await as(gateway, await given.team()).single());

  const { text } = await probe('/metrics');

  for (const name of [
    'temporal_worker_task_slots_available',
    'temporal_worker_task_slots_used',
    'temporal_workflow_task_schedule_to_start_latency_seconds_bucket',
    'temporal_activity_schedule_to_start_latency_seconds_bucket',
    'temporal_sticky_cache_size',
    'temporal_num_pollers',
    'temporal_long_request_total',
  ])
    expect(text).toContain(`\n${name}{`);
  expect(text).toMatch(/^gateway_build_info\{service="worker",version="\d+\.\d+\.\d+",node="v\d+[^"]*"\} 1$/m);
  expect(text).not.toContain('# EOF');
  const instance = `${hostname()}:${worker.pid}`;
  expect(worker.lines[0]).toMatchObject({ service: 'worker', version, instance });
});

test('a worker that receives SIGTERM is not ready at once, finishes the call that it runs, takes no other, and then exits (spec 15.3)', async () => {
  const team = await given.team({ credits: 5, models: ['sim-slow-8000-as-draining'] });
  worker = await startWorkerProcess(gateway.current, { METRICS_PORT: '0', LOG_LEVEL: 'info' });
  const job = await given.job(team);
  const call = as(gateway, team).call(job);
  await untilRequested(gateway, 'sim-slow-8000-as-draining');

  const ended = worker.end();
  await until(async () => (await probe('/health/ready')).status === 503);

  expect((await probe('/health/ready')).body.status).toBe('draining');
  expect((await probe('/health/live')).status).toBe(200);
  await until(() => gateway.current.deps.workerWatch.isUnavailable());
  expect((await as(gateway, team).call(job)).status).toBe(503);
  expectOk(await call);
  expect(await ended).toBe(0);
  expect(gateway.current.simulator.counts().models['sim-slow-8000-as-draining']).toBe(1);
});
