import { setTimeout as pause } from 'node:timers/promises';
import { givenIn } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { figures } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';
import type { Link } from './support/link.ts';
import { startLoad } from './support/load.ts';
import { seededRandom } from './support/random.ts';
import { minutes, promised, sized } from './support/sizes.ts';
import { SteadyClient } from './support/steady-client.ts';
import { refuseConnections } from './support/watch-statements.ts';

const awayMs = sized({ short: 5_000, full: 30_000 });
const perSecond = sized({ short: 4, full: 10 });
/** `spec 1.8`; a little for a machine that is busy with the fault itself. */
const refusedWithinMs = 3_200;
const backWithinMs = 5_000;

const installation = installationForTests({ workers: 2 });
const given = givenIn(installation);

const faults: [name: string, begin: (link: Link) => unknown, end: (link: Link) => unknown][] = [
  ['frozen', (link) => link.freeze(), (link) => link.thaw()],
  ['killed', (link) => link.down(), (link) => link.up()],
  [
    'out of connections',
    (link) => {
      link.divert(refuseConnections);
      link.cut();
    },
    (link) => link.divert(undefined),
  ],
];

test.each(faults)(
  'PostgreSQL %s: 503 within 3 s, never 401 or 404, back within 5 s, nothing lost',
  async (name, begin, end) => {
    const { checker, url, linksTo } = installation.current;
    const team = await given.team({ credits: 100_000, models: ['sim-echo-every-5'] });
    const client = new SteadyClient(installation.current, team);
    checker.watch();
    const load = startLoad(client, perSecond);
    await until(() => client.latencies.length > 3);

    await Promise.all(linksTo('postgres').map(begin));
    await pause(awayMs);
    const [duringMs, during] = [Math.max(...client.refusals), { ...client.statuses }];
    await Promise.all(linksTo('postgres').map(end));
    const endedAt = Date.now();
    await until(
      async () =>
        (await sendRequest(url, 'get', `/api/teams/${team.teamId}/credits`, { key: team.key })).status === 200,
    );
    const called = client.latencies.length;
    await until(() => client.latencies.length > called);
    const backAfterMs = Date.now() - endedAt;
    await load.stop();

    expect(await checker.conclude()).toEqual([]);
    expect(during[503]).toBeGreaterThan(0);
    expect(duringMs).toBeLessThan(promised(refusedWithinMs));
    expect(backAfterMs).toBeLessThan(promised(backWithinMs));
    figures(`PostgreSQL ${name} ${awayMs / 1_000} s`, {
      'answers (0: none)': JSON.stringify(client.statuses),
      'slowest 503': `${Math.round(duringMs)} ms`,
      'first call that succeeded after it': `${backAfterMs} ms`,
    });
  },
  minutes(2, 6),
);

/** Whatever the dice say: a run that met none has tried nothing. */
const mustBeMet = 10;

test(
  'deadlocks and serialization failures are met again, and change nothing',
  async () => {
    const { checker, apis, workers } = installation.current;
    const random = seededRandom(jest.getSeed(), 'collisions');
    const team = await given.team({ credits: 100_000, models: ['sim-echo-every-5'] });
    const client = new SteadyClient(installation.current, team);
    let injected = 0;
    const collide = () => {
      if (random.next() > 0.1) return 'pass';
      injected += 1;
      return { sqlstate: random.pick(['40001', '40P01']) };
    };
    for (const place of [...apis, ...workers])
      place.watchStatement = (statement, moment) =>
        moment === 'before' && !statement.includes(' ') && !statement.startsWith('worker_') ? collide() : 'pass';
    checker.watch();

    const load = startLoad(client, perSecond);
    const enough = () => client.latencies.length > sized({ short: 20, full: 500 }) && injected > mustBeMet;
    await until(enough, Boolean, 120_000);
    await load.stop();
    for (const place of [...apis, ...workers]) place.watchStatement = () => 'pass';

    expect(await checker.conclude()).toEqual([]);
    expect(injected).toBeGreaterThan(mustBeMet);
    figures('deadlocks and serialization failures', {
      'injected (one statement in ten)': injected,
      'answers (0: none)': JSON.stringify(client.statuses),
    });
  },
  minutes(3, 10),
);
