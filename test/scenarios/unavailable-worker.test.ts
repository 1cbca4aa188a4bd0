import { workerSilenceMs } from '../../src/db/workers/worker-heartbeat.ts';
import { readEvents } from '../support/events.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';
import { untilRequested } from '../support/until-requested.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

let worker: WorkerProcess;
afterEach(() => worker.kill());

test('while the only worker shuts down, new requests are answered 503 and calls in flight succeed', async () => {
  const model = 'sim-slow-10000-as-in-flight';
  const team = await given.team({ credits: 5, models: [model] });
  worker = await startWorkerProcess(gateway.current);
  const [completed, called, streamed, again] = await Promise.all([1, 2, 3, 4].map(() => given.job(team)));
  let ended = 0;
  const inFlight = [
    as(gateway, team).call(called!),
    as(gateway, team).call(again!, {}, { 'idempotency-key': team.teamId }),
    as(gateway, team).stream(streamed!),
    as(gateway, team).single(),
  ];
  for (const answer of inFlight) void answer.then(() => (ended += 1));
  await untilRequested(gateway, model, inFlight.length);

  worker.signal('SIGTERM');
  const refused = await Promise.all([as(gateway, team).single(), as(gateway, team).complete(completed!)]);
  const endedBefore = ended;
  const answers = await Promise.all(inFlight);

  expect(refused.map(({ status }) => status)).toEqual([503, 503]);
  expect(endedBefore).toBe(0);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(readEvents(answers[2]!.text).at(-1)).toBe('[DONE]');
  expect(JSON.parse(readEvents(answers[2]!.text).at(-2)!)).toMatchObject({ usage: expect.anything() });
}, 60_000);

test('while the only worker is disconnected from Temporal, requests that need it are answered 503 and not charged', async () => {
  const proxy = await startFreezingProxy(new URL(`http://${services.temporalAddress}`));
  const environment = { ...gateway.current.environment, TEMPORAL_ADDRESS: new URL(proxy.url).host };
  worker = await startWorkerProcess({ ...gateway.current, environment });
  try {
    const team = await given.team({ credits: 5 });
    const [called, completed] = await Promise.all([given.job(team), given.job(team)]);

    proxy.freeze();
    const streaming = as(gateway, team).singleStream();
    const answers = await Promise.all([
      as(gateway, team).call(called),
      as(gateway, team).complete(completed),
      as(gateway, team).single(),
    ]);
    const health = await sendRequest(gateway.current.url, 'get', '/health');
    const events = readEvents((await streaming).text);

    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(health.body.dependencies).toMatchObject({ temporal: 'up', worker: 'down' });
    expect(events.at(-1)).toBe('[DONE]');
    expect(JSON.parse(events[0]!).error.message).toBe('Service temporarily unavailable');
    expect(expectOk(await as(gateway, team).get('/api/jobs?status=failed')).total).toBe(0);
    proxy.thaw();
    await until(() => !gateway.current.deps.workerWatch.isUnavailable());
    expect(expectOk(await as(gateway, team).complete(completed)).costs).toMatchObject({ credits_remaining: 4 });
    expect(expectOk(await as(gateway, team).complete(called)).costs).toMatchObject({ total_calls: 0 });
    expect(expectOk(await as(gateway, team).get(`/api/jobs/${called}`))).toMatchObject({
      started_at: null,
      model_groups_used: [],
    });
  } finally {
    await proxy.close();
  }
}, 60_000);

test('a worker whose connection freezes during a heartbeat sends the next heartbeat within 7 s', async () => {
  const proxy = await startFreezingProxy(new URL(gateway.current.environment.DATABASE_URL!));
  const environment = { ...gateway.current.environment, DATABASE_URL: proxy.url };
  worker = await startWorkerProcess({ ...gateway.current, environment });
  const { database } = gateway.current.deps;
  const lastHeartbeatAgo = () => workerSilenceMs(database, gateway.current.deps.temporal.taskQueue);
  try {
    await proxy.freezeConnectionThatSends('write_worker_heartbeat');
    const frozenAt = performance.now();

    await until(lastHeartbeatAgo, (ms) => ms !== null && ms < performance.now() - frozenAt - 1_000, 7_000);
  } finally {
    await proxy.close();
  }
}, 60_000);
