import { setTimeout as pause } from 'node:timers/promises';
import { as, expectOk, givenIn } from '../support/given.ts';
import { reasonOf } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { figures, percentile } from './support/figures.ts';
import { HaProxy } from './support/haproxy.ts';
import { installationForTests } from './support/installation.ts';
import { RetryingClient } from './support/retrying-client.ts';
import type { SupervisedProcess } from './support/supervised-process.ts';
import { somePrompt } from './support/workload.ts';

const readsPerSecond = 180;
const callsPerSecond = 20;
const streamsBeforeEach = 15;
/** The prompt has ten words, with a pause before each but the first. */
const streamModel = 'sim-echo-every-5000';

const settings = { DRAIN_SECONDS: '60', LAME_DUCK_SECONDS: '5', RATE_LIMIT_REQUESTS_PER_MINUTE: '100000' };
const installation = installationForTests({ apis: 2, workers: 2, settings });
const given = givenIn(installation);

/** Begins `perSecond` requests a second, whether earlier ones have ended or not. Resolves with all of them when it is stopped. */
function atRate<T>(perSecond: number, send: () => Promise<T>): () => Promise<T[]> {
  const sent: Promise<T>[] = [];
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) * perSecond) / 1_000;
    while (sent.length < due) sent.push(send());
  }, 5);
  return () => {
    clearInterval(timer);
    return Promise.all(sent);
  };
}

/** HAProxy in front of all apis, which are ready. */
async function openProxy(apis: SupervisedProcess[]) {
  const proxy = await HaProxy.open(apis.length);
  const use = async (api: SupervisedProcess) => {
    const n = apis.indexOf(api);
    await proxy.setTarget(n, api.listening);
    await until(() => proxy.isReady(n), Boolean, 60_000);
  };
  for (const api of apis) await use(api);
  return {
    url: proxy.url,
    async restart(one: SupervisedProcess) {
      expect(await one.end('SIGTERM')).toBe(0);
      await one.start();
      if (one.kind === 'api') await use(one);
    },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  };
}

test('no request of 200 a second through HAProxy is refused, reset or answered with an error while every api is restarted', async () => {
  const { apis, checker } = installation.current;
  await using proxy = await openProxy(apis);
  const team = await given.team({ credits: 100_000, models: ['sim-echo'], rpm_limit: 100_000, tpm_limit: 100_000_000 });
  const client = as({ current: { ...installation.current, url: proxy.url } }, team);
  const { job_id } = expectOk(await client.single());
  checker.watch();
  const latencies: number[] = [];
  const outcomeOf = async (request: Promise<{ status: number }>): Promise<string> => {
    const startedAt = performance.now();
    const outcome = await request.then(({ status }) => String(status), (error) => `no answer: ${reasonOf(error)}`); // biome-ignore format: one step
    latencies.push(performance.now() - startedAt);
    return outcome;
  };

  const stopReads = atRate(readsPerSecond, () => outcomeOf(client.get(`/api/jobs/${job_id}`)));
  const stopCalls = atRate(callsPerSecond, () => outcomeOf(client.single()));
  await pause(5_000);
  for (const api of apis) {
    await proxy.restart(api);
    await pause(5_000);
  }
  const outcomes = [...(await stopReads()), ...(await stopCalls())];

  expect(
    Object.groupBy(
      outcomes.filter((outcome) => outcome !== '200'),
      (outcome) => outcome,
    ),
  ).toEqual({});
  expect(await checker.conclude()).toEqual([]);
  figures('rolling restart behind HAProxy', {
    'requests, all 200': outcomes.length,
    'p50, p99, slowest (ms)': [0.5, 0.99, 1].map((share) => Math.round(percentile(latencies, share))).join(', '),
  });
}, 300_000);

test('streams of 45 s through HAProxy are whole and made once while every api and worker is restarted', async () => {
  const { apis, workers, checker, simulator } = installation.current;
  await using proxy = await openProxy(apis);
  const team = await given.team({ credits: 10_000, models: [streamModel] });
  const client = new RetryingClient({ ...installation.current, url: proxy.url }, team);
  const streams: Promise<unknown>[] = [];
  checker.watch();

  for (const one of [apis[0]!, workers[0]!, apis[1]!, workers[1]!]) {
    for (let n = 0; n < streamsBeforeEach; n += 1) streams.push(client.createAndStream(somePrompt()));
    await until(() => simulator.counts().models[streamModel] === streams.length, Boolean, 60_000);
    await proxy.restart(one);
  }
  await Promise.allSettled(streams);

  expect(client.unanswered).toEqual([]);
  expect(client.statuses).toEqual({ 200: streams.length });
  expect(client.streams).toEqual({ whole: streams.length, failed: 0 });
  expect(simulator.counts().models[streamModel]).toBe(streams.length);
  expect(await checker.conclude()).toEqual([]);
  figures('streams behind HAProxy', { 'streams, whole': `${streams.length}, ${client.streams.whole}` });
}, 480_000);
