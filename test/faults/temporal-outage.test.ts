import { setTimeout as pause } from 'node:timers/promises';
import { givenIn } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { minutes, promised, sized } from '../support/sizes.ts';
import { until } from '../support/until.ts';
import { figures } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';
import type { Link } from './support/link.ts';
import { startLoad } from './support/load.ts';
import { RetryingClient } from './support/retrying-client.ts';

const awayMs = sized({ short: 5_000, full: 60_000 });
const perSecond = sized({ short: 4, full: 10 });
const answeredWithinMs = 3_200;

const installation = installationForTests({ workers: 2 });
const given = givenIn(installation);

const faults: [name: string, begin: (link: Link) => unknown, end: (link: Link) => unknown][] = [
  ['frozen', (link) => link.freeze(), (link) => link.thaw()],
  ['unreachable', (link) => link.down(), (link) => link.up()],
];

test.each(faults)(
  'while Temporal is %s, requests that need it are answered 503 within 3 s and reads 200; after it every job has its workflow (spec 1.8)',
  async (name, begin, end) => {
    const { checker, url, linksTo } = installation.current;
    const team = await given.team({ credits: 100_000, models: ['sim-echo-every-5'] });
    const client = new RetryingClient(installation.current, team);
    checker.watch();
    const openJob = await client.createJob();
    await using load = startLoad(client, perSecond);
    await until(() => client.latencies.length > 3);

    await Promise.all(linksTo('temporal').map(begin));
    const reads: { status: number; tookMs: number }[] = [];
    for (const until = Date.now() + awayMs; Date.now() < until; await pause(200)) {
      for (const path of [`/api/jobs/${openJob}`, '/api/jobs', `/api/teams/${team.teamId}/credits`]) {
        const startedAt = performance.now();
        const { status } = await sendRequest(url, 'get', path, { key: team.key });
        reads.push({ status, tookMs: performance.now() - startedAt });
      }
    }
    const slowestRefusal = Math.max(...client.refusals);
    await Promise.all(linksTo('temporal').map(end));
    const [endedAt, called] = [Date.now(), client.latencies.length];
    await until(() => client.latencies.length > called, Boolean, 60_000);
    const backAfterMs = Date.now() - endedAt;
    await load.stop();
    await client.complete(openJob);

    expect(await checker.conclude()).toEqual([]);
    expect(reads.filter(({ status }) => status !== 200)).toEqual([]);
    expect(client.statuses[503]).toBeGreaterThan(0);
    expect(slowestRefusal).toBeLessThan(promised(answeredWithinMs));
    figures(`Temporal ${name} ${awayMs / 1_000} s`, {
      'answers (0: none)': JSON.stringify(client.statuses),
      'slowest 503': `${Math.round(slowestRefusal)} ms`,
      'reads, slowest': `${reads.length}, ${Math.round(Math.max(...reads.map(({ tookMs }) => tookMs)))} ms`,
      'first call that succeeded after it': `${backAfterMs} ms`,
    });
  },
  minutes(3, 8),
);
