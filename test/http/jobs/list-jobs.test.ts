import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

let team: GivenTeam;
let jobs: string[];
beforeAll(async () => {
  team = await given.team();
  jobs = [];
  for (const [job_type, fields] of [
    ['report', { user_id: 'ann' }],
    ['summary', { external_task_id: 'task-1' }],
    ['report', {}],
  ] as const) {
    jobs.push(await given.job(team, { job_type, ...fields }));
  }
  expectOk(await as(gateway, team).complete(jobs[0]!));
});

const list = async (query = '') => expectOk(await as(gateway, team).get(`/api/jobs${query}`));
const ids = ({ jobs: listed }: { jobs: { job_id: string }[] }) => listed.map(({ job_id }) => job_id);

test('jobs are listed newest first, with their total number', async () => {
  const page = await list('?limit=2');

  expect(page).toMatchObject({ total: 3, limit: 2, offset: 0 });
  expect(ids(page)).toEqual([jobs[2], jobs[1]]);
  expect(ids(await list('?limit=2&offset=2'))).toEqual([jobs[0]]);
});

test.each([
  ['?status=completed', [0]],
  ['?job_type=report&order=asc', [0, 2]],
  ['?user_id=ann', [0]],
  ['?external_task_id=task-1', [1]],
  ['?sort_by=completed_at&order=desc', [0, 2, 1]],
  ['?sort_by=job_type&order=asc&limit=2', [0, 2]],
  ['?start_date=2020-01-01&end_date=2020-12-31', []],
])('jobs are filtered and sorted by %s', async (query, expected) => {
  expect(ids(await list(query))).toEqual(expected.map((index) => jobs[index]));
});

test('an end_date without a time includes its whole day', async () => {
  const today = new Date().toISOString().slice(0, 10);

  expect((await list(`?start_date=${today}&end_date=${today}`)).total).toBe(3);
});

test.each(['', 'Z', 'z', '%2B00:00', '+00:00', '+0000', '-0000', '.123456', ' short', ' shortZ', ' short%2B00:00'])(
  'a date-time that ends in %j is accepted, as UTC if it has no offset',
  async (ending) => {
    const now = new Date();
    const [before, after] = [-1, 1].map((hours) =>
      new Date(now.getTime() + hours * 3_600_000).toISOString().slice(0, 16),
    );
    const end = ending.startsWith(' short') ? ending.slice(6) : `:00${ending}`;

    expect((await list(`?start_date=${before}${end}&end_date=${after}${end}`)).total).toBe(3);
    expect((await list(`?start_date=${after}${end}`)).total).toBe(0);
  },
);

test.each([
  ['limit=0', 'greater_than_equal'],
  ['limit=1001', 'less_than_equal'],
  ['limit=1.5', 'int_parsing'],
  ['limit=ten', 'int_parsing'],
  ['limit=1&limit=2', 'int_parsing'],
  ['limit[]=1', 'int_parsing'],
  ['offset=-1', 'greater_than_equal'],
  ['offset=2147483648', 'less_than_equal'],
  ['status=open', 'literal_error'],
  ['sort_by=secret', 'literal_error'],
  ['start_date=2026-02-30', 'datetime_parsing'],
  ['start_date=2026-01-01T00:00:00%2B99:99', 'datetime_parsing'],
  ['start_date=2026-02-01&end_date=2026-01-01', 'value_error'],
])('the list of jobs with %s is refused', async (query, type) => {
  const answer = await as(gateway, team).get(`/api/jobs?${query}`);

  expect(answer.status).toBe(422);
  expect(answer.body.detail[0]).toMatchObject({ type, loc: ['query', expect.any(String)] });
});

test('a text longer than any date-time is refused without being parsed', async () => {
  const long = 'T'.repeat(5_000);

  const answer = await as(gateway, team).get(`/api/jobs?start_date=${long}&end_date=${long}`);

  expect(answer.status).toBe(422);
  expect(answer.body.detail).toMatchObject([
    { type: 'string_too_long', loc: ['query', 'start_date'] },
    { type: 'string_too_long', loc: ['query', 'end_date'] },
  ]);
});

test('a team lists its own jobs, an admin those of the teams that the query names', async () => {
  const other = await given.team();
  const listAsAdmin = async (query: string) => expectOk(await asAdmin(gateway).get(`/api/jobs?${query}`));

  expect((await list()).total).toBe(3);
  expect(expectOk(await as(gateway, other).get('/api/jobs')).total).toBe(0);
  for (const others of [`team_id=${team.teamId}`, `organization_id=${team.organizationId}`])
    expect((await as(gateway, other).get(`/api/jobs?${others}`)).status).toBe(403);
  expect((await listAsAdmin(`team_id=${team.teamId}`)).total).toBe(3);
  expect((await listAsAdmin(`organization_id=${other.organizationId}`)).total).toBe(0);
});

test('the route of a team lists the jobs of that team', async () => {
  const {
    total,
    jobs: listed,
    team_id,
  } = expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/jobs?limit=1`));

  expect([team_id, total]).toEqual([team.teamId, 3]);
  expect(Object.keys(listed[0]).sort()).toEqual(
    ['completed_at', 'created_at', 'credit_applied', 'job_id', 'job_type', 'status'].sort(),
  );
});
