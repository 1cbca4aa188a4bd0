import { givenIn } from '../support/given.ts';
import { minutes, promised, sized } from '../support/sizes.ts';
import { until } from '../support/until.ts';
import { figures } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';
import { RetryingClient } from './support/retrying-client.ts';
import { somePrompt } from './support/workload.ts';

const each = sized({ short: 8, full: 200 });
const withinMs = 30_000;

const installation = installationForTests();
const given = givenIn(installation);

test(
  'api and worker that receive SIGTERM during streams and calls exit within 30 s, and every request in flight is answered or ends with an error (spec 15.1, spec 15.3)',
  async () => {
    const { apis, workers, checker, pool, simulator } = installation.current;
    // Half end within the drain. The others take longer than any drain at their first request.
    const quick = await given.team({ credits: 10_000, models: ['sim-echo-slow-3000-every-50'] });
    const endless = await given.team({
      credits: 10_000,
      models: [`sim-echo-slow-60000-first-${each}-then-echo-as-endless`],
    });
    const clients = [quick, endless].map((team) => new RetryingClient(installation.current, team));
    checker.watch();
    const inFlight = clients.flatMap((client) => [
      ...Array.from({ length: each / 2 }, () => client.createAndCall(somePrompt())),
      ...Array.from({ length: each / 2 }, () => client.createAndStream(somePrompt())),
    ]);
    const settled = Promise.allSettled(inFlight);
    await until(() => simulator.counts().running >= each, Boolean, 60_000);

    const startedAt = Date.now();
    const codes = await Promise.all([apis[0]!.end('SIGTERM'), workers[0]!.end('SIGTERM')]);
    const tookMs = Date.now() - startedAt;
    const { rowCount: heartbeats } = await pool.query("select from workers where seen_at > 'epoch'");
    await Promise.all([apis[0]!.start(), workers[0]!.start()]);
    const outcomes = await settled;

    expect(await checker.conclude()).toEqual([]);
    expect(codes).toEqual([0, 0]);
    expect(tookMs).toBeLessThan(promised(withinMs));
    expect(heartbeats).toBe(0);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    figures('SIGTERM', {
      'streams, calls in flight': `${each}, ${each}`,
      'both processes ended, exit codes': `${tookMs} ms, ${codes.join(' and ')}`,
      'answers (0: none; repeated until there was one)': JSON.stringify(clients.map(({ statuses }) => statuses)),
      'streams whole, ended by an error': clients
        .map(({ streams }) => `${streams.whole}, ${streams.failed}`)
        .join(' and '),
    });
  },
  minutes(3, 8),
);
