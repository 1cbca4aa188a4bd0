import { givenIn } from '../support/given.ts';
import { isFull, minutes, sized } from '../support/sizes.ts';
import { until } from '../support/until.ts';
import { Balancer } from './support/balancer.ts';
import { figures, percentile } from './support/figures.ts';
import { type Installation, installationForTests } from './support/installation.ts';
import { startLoad } from './support/load.ts';
import { RetryingClient } from './support/retrying-client.ts';
import { somePrompt } from './support/workload.ts';

/** Begun before each restart: so many streams, as many calls that are not streamed, and as many jobs of several calls. */
const each = sized({ short: 3, full: 15 });
const perSecond = sized({ short: 4, full: 10 });
/** What each stream and each call takes, less than the drain. The prompt has ten words, with a pause before each but the first. */
const lastsMs = isFull ? 45_000 : 3_000;
const models = {
  stream: `sim-echo-every-${Math.ceil(lastsMs / 9)}`,
  call: `sim-echo-slow-${lastsMs}`,
  quick: 'sim-echo',
};

/** The balancer needs a part of a second to notice; it shares its event loop with the clients and the upstream. */
const settings = { DRAIN_SECONDS: '60', LAME_DUCK_SECONDS: isFull ? '5' : '2' };
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
  'no request fails, is cut off or is made twice while every api and worker is restarted in turn under streams, calls and jobs (spec 15.5)',
  async () => {
    const { apis, workers, checker, pool, simulator } = installation.current;
    await using balancer = await Balancer.open(() => apis.map((api) => api.listening));
    const throughBalancer = { ...installation.current, url: balancer.url };
    const clientOf = async (model: string) =>
      new RetryingClient(throughBalancer, await given.team({ credits: 10_000, models: [model] }));
    const [streams, calls, quick] = [
      await clientOf(models.stream),
      await clientOf(models.call),
      await clientOf(models.quick),
    ];
    const clients = [streams, calls, quick];
    const requested = (model: string): number => simulator.counts().models[model] ?? 0;
    await until(() => apis.every((api) => balancer.isReady(api.listening)));
    checker.watch();
    await using load = startLoad(quick, perSecond);
    const inFlight: Promise<unknown>[] = [];
    const tookMs: string[] = [];

    for (const [turn, one] of [apis[0]!, workers[0]!, apis[1]!, workers[1]!].entries()) {
      for (let n = 0; n < each; n += 1)
        inFlight.push(streams.createAndStream(somePrompt()), calls.createAndCall(somePrompt()), jobOfThreeCalls(calls));
      await until(() => requested(models.stream) === (turn + 1) * each, Boolean, 60_000);
      const startedAt = Date.now();
      expect(await one.end('SIGTERM')).toBe(0);
      tookMs.push(`${one.kind} ${Date.now() - startedAt}`);
      await one.start();
      if (one.kind === 'api') await until(() => balancer.isReady(one.listening), Boolean, 60_000);
    }
    const settled = await Promise.allSettled(inFlight);
    await load.stop();

    const { rows } = await pool.query('select count(*)::int as calls from calls');
    const requests = Object.values(models).reduce((sum, model) => sum + requested(model), 0);
    expect(settled.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect([...balancer.lost, ...clients.flatMap(({ unanswered }) => unanswered)]).toEqual([]);
    expect(clients.flatMap(({ statuses }) => Object.keys(statuses))).toEqual(['200', '200', '200']);
    expect([streams.streams, quick.streams.failed]).toEqual([{ whole: 4 * each, failed: 0 }, 0]);
    expect(await callsAskedTwice(installation.current)).toEqual([]);
    expect(requests).toBe(rows[0].calls);
    expect(await checker.conclude()).toEqual([]);
    figures('rolling restart', {
      'calls, requests to the upstream': `${rows[0].calls}, ${requests}`,
      'answers by status': JSON.stringify(clients.map(({ statuses }) => statuses)),
      'slowest quick request (ms)': Math.round(percentile(quick.latencies, 1)),
      'SIGTERM to the exit (ms)': tookMs.join(', '),
    });
  },
  minutes(3, 8),
);
