import { setTimeout as pause } from 'node:timers/promises';
import { as, expectOk, givenIn } from '../support/given.ts';
import { until } from '../support/until.ts';
import { figures, percentile } from './support/figures.ts';
import { HaProxy } from './support/haproxy.ts';
import { installationForTests } from './support/installation.ts';

const readsPerSecond = 180;
const callsPerSecond = 20;

const settings = { DRAIN_SECONDS: '60', LAME_DUCK_SECONDS: '2', RATE_LIMIT_REQUESTS_PER_MINUTE: '100000' };
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

test('no request of 200 a second through HAProxy is refused, reset or answered with an error while every api is restarted', async () => {
  const { apis, checker } = installation.current;
  const proxy = await HaProxy.open(apis.length);
  const team = await given.team({ credits: 100_000, models: ['sim-echo'], rpm_limit: 100_000, tpm_limit: 100_000_000 });
  const client = as({ current: { ...installation.current, url: proxy.url } }, team);
  for (const [n, api] of apis.entries()) {
    await proxy.setTarget(n, api.listening);
    await until(() => proxy.isReady(n));
  }
  const { job_id } = expectOk(await client.single());
  checker.watch();
  const latencies: number[] = [];
  const outcomeOf = async (request: Promise<{ status: number }>): Promise<string> => {
    const startedAt = performance.now();
    const outcome = await request.then(({ status }) => String(status), (error: Error) => `no answer: ${error.cause ?? error}`); // biome-ignore format: one step
    latencies.push(performance.now() - startedAt);
    return outcome;
  };

  const stopReads = atRate(readsPerSecond, () => outcomeOf(client.get(`/api/jobs/${job_id}`)));
  const stopCalls = atRate(callsPerSecond, () => outcomeOf(client.single()));
  await pause(5_000);
  for (const [n, api] of apis.entries()) {
    expect(await api.end('SIGTERM')).toBe(0);
    await api.start();
    await proxy.setTarget(n, api.listening);
    await until(() => proxy.isReady(n), Boolean, 60_000);
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
  await proxy.close();
  figures('rolling restart behind HAProxy', {
    'requests, all 200': outcomes.length,
    'p50, p99, slowest (ms)': [0.5, 0.99, 1].map((share) => Math.round(percentile(latencies, share))).join(', '),
  });
}, 300_000);
