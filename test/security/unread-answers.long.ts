import { setTimeout as pause } from 'node:timers/promises';
import { figures } from '../faults/support/figures.ts';
import { expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { sized } from '../support/sizes.ts';
import { installationForTests } from './support/installation.ts';
import { healthTimes, watchHighest } from './support/probe.ts';
import { holdConnections } from './support/sockets.ts';

const readers = sized({ short: 20, full: 100 });
const installation = installationForTests({ worker: false });
const given = givenIn(installation);
let team: GivenTeam;

beforeAll(async () => {
  team = await given.team();
  const sql = `insert into jobs (job_id, team_id, organization_id, job_type, metadata)
    select gen_random_uuid(), $1, $2, 'large', jsonb_build_object('text', repeat('x', 10000)) from generate_series(1, 1500)`;
  await installation.current.pool.query(sql, [team.teamId, team.organizationId]);
});

const page = '/api/jobs?limit=1000';
const request = (key: string) => () =>
  `GET ${page} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;

test.each(['a team', 'the platform'])(
  'pages of 10 MB that are requested by %s and not read take less than 150 MB',
  async (caller) => {
    const { masterKey, startApi } = installation.current;
    const api = await startApi();
    const { url } = api;
    const key = caller === 'a team' ? team.key : masterKey;
    for (let n = 0; n < 3; n += 1) expectOk(await sendRequest(url, 'get', page, { key }));
    const before = api.memory();
    const highest = watchHighest(() => api.memory());

    const held = await holdConnections({ url, count: readers, bytes: request(key), reads: false });
    const health = await healthTimes(url, 15);
    const more = highest.end() - before;
    held.close();

    figures('unread answers', {
      [`${readers} pages of ${caller}: memory, /health p50, max`]: `+${Math.round(more)} MB, ${Math.round(health.p50)}, ${Math.round(health.max)} ms`,
    });
    expect(more).toBeLessThan(150);
    expect(api.isRunning()).toBe(true);
  },
);

test('a page that is requested after unread pages were closed arrives complete', async () => {
  const { url } = installation.current;
  const held = await holdConnections({ url, count: readers, bytes: request(team.key), reads: false });
  await pause(1_000);
  held.close();

  const answer = expectOk(await sendRequest(url, 'get', page, { key: team.key }));

  expect(answer.jobs).toHaveLength(1_000);
  expect(answer.total).toBe(1_500);
});
