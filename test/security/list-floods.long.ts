import { figures } from '../faults/support/figures.ts';
import { type GivenTeam, givenIn } from '../support/given.ts';
import { sized } from '../support/sizes.ts';
import { startFlood } from './support/flood.ts';
import { installationForTests } from './support/installation.ts';
import { callTimes } from './support/probe.ts';

const jobs = sized({ short: 20_000, full: 400_000 });
const installation = installationForTests();
const given = givenIn(installation);
let reader: GivenTeam;
let other: GivenTeam;

beforeAll(async () => {
  reader = await given.team();
  other = await given.team({ credits: 1_000_000 });
  const { pool } = installation.current;
  const sql = `insert into jobs (job_id, team_id, organization_id, job_type, user_id, status, created_at, completed_at)
    select gen_random_uuid(), $1, $2, 'type-' || n % 97, 'user-' || n % 31, 'completed', now() - n * interval '1 second', now()
      from generate_series(1, $3::int) n`;
  await pool.query(sql, [reader.teamId, reader.organizationId, jobs]);
  await pool.query('analyze jobs');
}, 300_000);

const lists = (team: GivenTeam): [string, string[]][] => [
  ['jobs by type, the last page', [`/api/jobs?limit=10&sort_by=job_type&offset=${jobs - 10}&start_date=2020-01-01`]],
  [
    'jobs of a team, usage and sums',
    [
      `/api/teams/${team.teamId}/jobs?limit=1000&offset=${jobs - 1_000}`,
      `/api/jobs?limit=1&sort_by=completed_at&order=asc&user_id=user-7&offset=100`,
      `/api/organizations/${team.organizationId}/usage?period=2026-11`,
      `/api/teams/${team.teamId}/usage?period=2026-11`,
      `/api/jobs?limit=1000&sort_by=status&offset=${Math.round(jobs / 2)}`,
    ],
  ],
];

test.each([0, 1])(
  'calls of a team take less than twice as long while 40 readers with another key read expensive lists (%i)',
  async (index) => {
    const [name, paths] = lists(reader)[index]!;
    await callTimes(installation, other, 3);
    const quiet = await callTimes(installation, other, 6);
    const headers = { authorization: `Bearer ${reader.key}` };
    const requests = paths.map((path) => ({ method: 'GET', path, headers }));

    const flood = await startFlood({ url: installation.current.url, requests, atOnce: 40, seconds: 40 });
    await callTimes(installation, other, 1);
    const beside = await callTimes(installation, other, 12);
    const { sent, statuses } = await flood.stop();

    figures('list floods', {
      [`calls beside 40 readers of ${name}: p50 quiet, beside, max`]: `${[quiet.p50, beside.p50, beside.max].map(Math.round).join(', ')} ms (${sent} lists, ${JSON.stringify(statuses)})`,
    });
    expect(beside.p50 / quiet.p50).toBeLessThan(2);
  },
);
