import { givenIn } from '../support/given.ts';
import { until } from '../support/until.ts';
import { Balancer } from './support/balancer.ts';
import { figures, percentile } from './support/figures.ts';
import { type Installation, installationForTests } from './support/installation.ts';
import { startLoad } from './support/load.ts';
import { RetryingClient } from './support/retrying-client.ts';
import { isFull, minutes, sized } from './support/sizes.ts';
import { somePrompt } from './support/workload.ts';

/** Begun before each restart: so many streams, as many calls that are not streamed, and as many jobs of several calls. */
const each = sized({ short: 3, full: 15 });
const perSecond = sized({ short: 4, full: 10 });
/** An answer has about eleven pieces: a stream of 3 or 45 s. */
const everyMs = isFull ? 4_500 : 300;

const settings = { DRAIN_SECONDS: '60', LAME_DUCK_SECONDS: '1' };
const installation = installationForTests({ apis: 2, workers: 2, settings });
const given = givenIn(installation);

async function jobOfThreeCalls(client: RetryingClient): Promise<void> {
  const jobId = await client.createJob();
  for (let call = 0; call < 3; call += 1) await client.call(jobId, somePrompt());
  await client.complete(jobId);
}

/** Calls with another number of requests to the upstream than one, which all but lost or repeated calls have. */
const callsAskedTwice = async ({ pool }: Installation): Promise<unknown[]> => {
  const { rows } = await pool.query(
    `select call_id, array_agg(outcome) as outcomes from call_attempts group by call_id
     having count(*) <> 1 or bool_or(outcome <> 'succeeded')`,
  );
  return rows;
};

test(
  'no request fails, is cut off or is made twice while every api and worker is restarted in turn under streams, calls and jobs',
  async () => {
    const { apis, workers, checker, pool, simulator } = installation.current;
    const balancer = await Balancer.open(() => apis.map((api) => api.listening));
    const throughBalancer = { ...installation.current, url: balancer.url };
    const models = { slow: `sim-echo-slow-${everyMs * 10}-every-${everyMs}`, quick: 'sim-echo' };
    const [slow, quick] = [
      await given.team({ credits: 10_000, models: [models.slow] }),
      await given.team({ credits: 10_000, models: [models.quick] }),
    ];
    const clients = {
      slow: new RetryingClient(throughBalancer, slow),
      quick: new RetryingClient(throughBalancer, quick),
    };
    await until(() => apis.every((api) => balancer.isReady(api.listening)));
    checker.watch();
    const load = startLoad(clients.quick, perSecond);
    const inFlight: Promise<unknown>[] = [];
    const tookMs: string[] = [];

    for (const one of [apis[0]!, workers[0]!, apis[1]!, workers[1]!]) {
      for (let n = 0; n < each; n += 1)
        inFlight.push(
          clients.slow.createAndStream(somePrompt()),
          clients.slow.createAndCall(somePrompt()),
          jobOfThreeCalls(clients.slow),
        );
      await until(() => simulator.counts().running >= each, Boolean, 60_000);
      const startedAt = Date.now();
      expect(await one.end('SIGTERM')).toBe(0);
      tookMs.push(`${one.kind} ${Date.now() - startedAt}`);
      await one.start();
      if (one.kind === 'api') await until(() => balancer.isReady(one.listening), Boolean, 60_000);
    }
    const settled = await Promise.allSettled(inFlight);
    await load.stop();

    const { rows } = await pool.query('select count(*)::int as calls from calls');
    const requests = Object.values(models).reduce((sum, model) => sum + (simulator.counts().models[model] ?? 0), 0);
    expect(settled.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(Object.keys({ ...clients.slow.statuses, ...clients.quick.statuses })).toEqual(['200']);
    expect([clients.slow.streams.failed, clients.quick.streams.failed]).toEqual([0, 0]);
    expect(await callsAskedTwice(installation.current)).toEqual([]);
    expect(requests).toBe(rows[0].calls);
    expect(await checker.conclude()).toEqual([]);
    await balancer.close();
    figures('rolling restart', {
      'calls, requests to the upstream': `${rows[0].calls}, ${requests}`,
      'answers by status': JSON.stringify([clients.slow.statuses, clients.quick.statuses]),
      'slowest quick request (ms)': Math.round(percentile(clients.quick.latencies, 1)),
      'SIGTERM to the exit (ms)': tookMs.join(', '),
    });
  },
  minutes(3, 8),
);
