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
    ['report', { metadata: { place: 'here' } }],
  ] as const) {
    jobs.push(await given.job(team, { job_type, ...fields }));
  }
  expectOk(await as(gateway, team).complete(jobs[0]!));
});

const list = async (query = '') => expectOk(await as(gateway, team).get(`/api/jobs${query}`));
const ids = ({ jobs: listed }: { jobs: { job_id: string }[] }) => listed.map(({ job_id }) => job_id);

test('jobs are listed newest first, with their total number (spec 3.8)', async () => {
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
])('jobs are filtered and sorted by %s (spec 3.8)', async (query, expected) => {
  expect(ids(await list(query))).toEqual(expected.map((index) => jobs[index]));
});

test.each([
  ['?status=completed&status=failed', [0]],
  ['?status=pending&order=asc', [1, 2]],
  ['?q=task-', [1]],
  ['?metadata.place=here', [2]],
  ['?metadata.place=here&metadata.other=no', []],
  ['?charged=true', [0]],
  ['?charged=false&order=asc', [1, 2]],
  ['?has_failed_calls=true', []],
  ['?min_duration_ms=0', [0]],
  ['?max_cost_usd=0.5&order=asc', [0, 1, 2]],
  ['?min_cost_usd=0.5', []],
  ['?model_group=none', []],
])('jobs are filtered by %s, by offset as by cursor (spec 19.20)', async (query, expected) => {
  const wanted = expected.map((index) => jobs[index]);

  expect(ids(await list(query))).toEqual(wanted);
  expect(await list(`${query}&cursor=`)).toMatchObject({ total: wanted.length });
  expect(ids(await list(`${query}&cursor=&count=none`))).toEqual(wanted);
});

test('the next cursor continues a list, with the total only where it is requested (spec 19.21)', async () => {
  const first = await list('?limit=2&count=none');
  const second = await list(`?limit=2&cursor=${first.next_cursor}&count=exact`);

  expect([first.total, second.total]).toEqual([null, 3]);
  expect([...ids(first), ...ids(second)]).toEqual(jobs.toReversed());
  expect(second.next_cursor).toBeNull();
  expect((await list('?limit=2')).next_cursor).toBe(first.next_cursor);
});

test('a row of the list has the sums of its job (spec 19.20)', async () => {
  expect((await list('?status=completed')).jobs).toMatchObject([
    {
      total_calls: 0,
      failed_calls: 0,
      total_tokens: 0,
      total_cost_usd: 0,
      credits_charged: 1,
      duration_ms: expect.any(Number),
    },
  ]);
  expect((await list('?status=pending&limit=1')).jobs).toMatchObject([{ credits_charged: 0, duration_ms: null }]);
});

test('the histogram counts the jobs that the list has, by outcome (spec 19.23)', async () => {
  const whole = await list('/histogram');
  const today = new Date().toISOString().slice(0, 10);
  const hours = await list(`/histogram?bucket=hour&start_date=${today}&end_date=${today}&status=completed`);

  expect(whole).toMatchObject({ bucket: 'day', total: 3, complete: true });
  expect(whole.points.at(-1)).toMatchObject({ completed: 1, open: 2, failed: 0, cancelled: 0 });
  expect(hours.points).toHaveLength(24);
  expect(hours).toMatchObject({ bucket: 'hour', total: 1, from: `${today}T00:00:00.000Z` });
  expect((await as(gateway, team).get('/api/jobs/histogram?bucket=hour')).status).toBe(200);
  expect((await as(gateway, team).get('/api/jobs/histogram?start_date=2001-01-01')).status).toBe(422);
});

test('an end_date without a time includes its whole day (spec 3.8)', async () => {
  const today = new Date().toISOString().slice(0, 10);

  expect((await list(`?start_date=${today}&end_date=${today}`)).total).toBe(3);
});

test.each(['', 'Z', 'z', '%2B00:00', '+00:00', '+0000', '-0000', '.123456', ' short', ' shortZ', ' short%2B00:00'])(
  'a date-time that ends in %j is accepted, as UTC if it has no offset (spec 3.8)',
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
  ['status=failed&status=open', 'literal_error'],
  ['charged=maybe', 'bool_parsing'],
  ['q=', 'string_too_short'],
  ['min_cost_usd=-1', 'greater_than_equal'],
  ['min_duration_ms=0.5', 'int_parsing'],
  ['count=some', 'literal_error'],
  ['cursor=none', 'value_error'],
  ['cursor=WyJub25lIl0', 'value_error'],
  ['cursor=&offset=1', 'value_error'],
  ['metadata.a=1&metadata.b=1&metadata.c=1&metadata.d=1&metadata.e=1&metadata.f=1', 'value_error'],
  ['metadata=here', 'dict_type'],
  ['metadata.__proto__=here', 'dict_type'],
  ['metadata.a%00=here', 'value_error'],
  ['metadata.a=%00', 'value_error'],
  ['start_date=2026-02-30', 'datetime_parsing'],
  ['start_date=2026-01-01T00:00:00%2B99:99', 'datetime_parsing'],
  ['start_date=2026-02-01&end_date=2026-01-01', 'value_error'],
])('the list of jobs with %s is refused (spec 3.8, spec 19.20, spec 19.21)', async (query, type) => {
  const answer = await as(gateway, team).get(`/api/jobs?${query}`);

  expect(answer.status).toBe(422);
  expect(answer.body.detail[0]).toMatchObject({ type, loc: expect.arrayContaining(['query']) });
});

test('a filter by metadata whose value is no text is refused with its key', async () => {
  const answer = await as(gateway, team).get('/api/jobs?metadata.place[a]=here');

  expect(answer.body.detail).toMatchObject([{ type: 'string_type', loc: ['query', 'metadata', 'place'] }]);
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

test('a team lists its own jobs, an admin those of the teams that the query names (spec 2.10, spec 3.8)', async () => {
  const other = await given.team();
  const listAsAdmin = async (query: string) => expectOk(await asAdmin(gateway).get(`/api/jobs?${query}`));

  expect((await list()).total).toBe(3);
  expect(expectOk(await as(gateway, other).get('/api/jobs')).total).toBe(0);
  for (const others of [`team_id=${team.teamId}`, `organization_id=${team.organizationId}`])
    expect((await as(gateway, other).get(`/api/jobs?${others}`)).status).toBe(403);
  expect((await listAsAdmin(`team_id=${team.teamId}`)).total).toBe(3);
  expect((await listAsAdmin(`organization_id=${other.organizationId}`)).total).toBe(0);
});

test('the route of a team lists the jobs of that team (spec 3.16)', async () => {
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
