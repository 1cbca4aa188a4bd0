import { setTimeout as pause } from 'node:timers/promises';
import { givenIn } from '../support/given.ts';
import { minutes, promised, sized } from '../support/sizes.ts';
import { until } from '../support/until.ts';
import { figures, percentile } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';
import { startLoad, type Turn } from './support/load.ts';
import { startOwnRedis } from './support/own-redis.ts';
import { RetryingClient } from './support/retrying-client.ts';
import { somePrompt } from './support/workload.ts';

const frozenMs = sized({ short: 8_000, full: 60_000 });
const perSecond = sized({ short: 4, full: 6 });
/** A stream takes 200 ms. 10 s more are allowed. */
const streamEndsWithinMs = 10_500;
/** More than without a fault. */
const addedWithinMs = 1_000;
const logBytesARequest = 2_048;

const installation = installationForTests({ workers: sized({ short: 1, full: 2 }) });
const given = givenIn(installation);

test(
  'while Redis is frozen, killed and back without data, calls are answered as before, streams end within 10 s, and memory and log stay small (spec 1.8, spec 5.6)',
  async () => {
    const { apis, workers, checker, linksTo } = installation.current;
    // A stream without Redis takes up to 10 s: this many are in flight at once.
    const team = await given.team({ credits: 1_000_000, models: ['sim-echo-every-5'], max_concurrent_calls: 500 });
    const [whole, streamed] = [
      new RetryingClient(installation.current, team),
      new RetryingClient(installation.current, team),
    ];
    const call: Turn = () => whole.createAndCall(somePrompt());
    const stream: Turn = () => streamed.createAndStream(somePrompt());
    const requests = () => whole.latencies.length + streamed.latencies.length;
    const memory = () => [...apis, ...workers].reduce((sum, one) => sum + one.memory, 0);
    const logBytes = () => [...apis, ...workers].reduce((sum, one) => sum + one.logBytes, 0);
    checker.watch();
    await using running = new AsyncDisposableStack();
    const loads = [startLoad(whole, perSecond, call), startLoad(streamed, perSecond, stream)];
    for (const load of loads) running.use(load);
    // As many as during the outage: the memory of a young process grows with the code that it compiles.
    await until(() => requests() > sized({ short: 30, full: 1_200 }), Boolean, 180_000);
    const normal = { calls: whole.latencies.length, p99: percentile(whole.latencies, 0.99), memory: memory() };
    const [requestsBefore, logBefore, streamsBefore] = [requests(), logBytes(), streamed.latencies.length];

    for (const link of linksTo('redis')) link.freeze();
    await pause(frozenMs);
    const empty = await startOwnRedis();
    for (const link of linksTo('redis')) {
      await link.down();
      link.thaw();
      link.setTarget(empty.url);
    }
    await pause(2_000);
    const outage = { p99: percentile(whole.latencies.slice(normal.calls), 0.99), memory: memory() };
    for (const link of linksTo('redis')) await link.up();
    await pause(2_000);
    await Promise.all(loads.map((load) => load.stop()));
    const findings = await checker.conclude();
    const slowestStream = Math.max(...streamed.latencies.slice(streamsBefore));
    const logARequest = (logBytes() - logBefore) / (requests() - requestsBefore);
    await empty.close();

    expect(findings).toEqual([]);
    expect(Object.keys(whole.statuses)).toEqual(['200']);
    expect(Object.keys(streamed.statuses)).toEqual(['200']);
    expect(outage.p99 - normal.p99).toBeLessThan(promised(addedWithinMs));
    expect(slowestStream).toBeLessThan(promised(streamEndsWithinMs));
    expect(outage.memory / normal.memory).toBeLessThan(1.3);
    expect(logARequest).toBeLessThan(logBytesARequest);
    figures(`Redis frozen ${frozenMs / 1_000} s, killed, back without data`, {
      'whole answers, failures': `${whole.latencies.length}, 0`,
      'p99 before, during the outage': `${Math.round(normal.p99)}, ${Math.round(outage.p99)} ms`,
      'streams whole, ended by an error; slowest': `${streamed.streams.whole}, ${streamed.streams.failed}; ${Math.round(slowestStream)} ms`,
      'memory of all processes before, during the outage': `${megabytes(normal.memory)}, ${megabytes(outage.memory)} MB`,
      'log a request': `${Math.round(logARequest)} bytes`,
    });
  },
  minutes(3, 10),
);

const megabytes = (bytes: number) => Math.round(bytes / 1_048_576);
