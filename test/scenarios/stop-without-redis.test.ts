import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { contentOf, isRunning, isShown, stopping } from '../support/given-stop.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

/** As the contract promises. */
const stopsWithinMs = 3_000;

async function openBehindProxy() {
  const redis = await startFreezingProxy(new URL(services.redisUrl));
  const current: Gateway = await startGateway({ settings: { REDIS_URL: redis.url } });
  return { redis, gateway: { current } };
}

test.each([
  ['freezes at that moment', 0],
  ['has been frozen for a while', 2_500],
])(
  'a call is stopped within 3 s while Redis %s, and its text is the recorded one (spec 26.10)',
  async (_, frozenMs) => {
    const { redis, gateway } = await openBehindProxy();
    const { stop, read, started } = stopping(gateway, () => gateway.current.deps.database.pool);
    const given = givenIn(gateway);
    const [fast, slow] = [
      await given.team({ models: ['sim-tokens-600-every-25'] }),
      await given.team({ models: ['sim-slow-60000'] }),
    ];
    const [job, slowJob] = [await given.job(fast), await given.job(slow)];
    const stream = await started(fast, 'stream', isShown, { job });
    const call = await started(slow, 'call', isRunning, { job: slowJob });
    redis.freeze();
    if (frozenMs > 0) await until(() => gateway.current.deps.redisHealth.downMs() > frozenMs);

    const startedAt = Date.now();
    const timed = async (stopping: Promise<unknown>) => {
      await stopping;
      return Date.now() - startedAt;
    };
    const stops = [stop(fast, job, stream.call), stop(slow, slowJob, call.call)];
    const [streamEnd, callEnd] = [await stream.end, await call.end];
    const took = await Promise.all([...stops, stream.end, call.end].map(timed));
    const stopped = (await Promise.all(stops)).map(expectOk);

    for (const one of stopped) expect(one).toMatchObject({ status: 'succeeded', finish_reason: 'stopped' });
    for (const ms of took) expect(ms).toBeLessThan(stopsWithinMs);
    const { response } = await read(fast, job, stream.call);
    expect(contentOf(streamEnd)).toMatchObject({ text: response.content, reason: 'stopped' });
    expect(expectOk(callEnd).response).toEqual({ content: '', finish_reason: 'stopped' });
    redis.thaw();
    expect(expectOk(await as(gateway, fast).complete(job)).costs).toMatchObject({ credit_applied: true });
    await gateway.current.close();
    await redis.close();
  },
  60_000,
);
