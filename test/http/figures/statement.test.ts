import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import type { Json } from '../../support/send-request.ts';
import { browserIn } from '../sessions/browser.ts';

const gateway = gatewayForTests({ settings: { SUPPORT_CONTACT: 'credits@example.com' } });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const period = () => new Date().toISOString().slice(0, 7);
const statementOf = async (team: GivenTeam, month = period()): Promise<Json> =>
  expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/statement?period=${month}`));

/** A team that was charged twice and refunded once, with a failed, a cancelled and an open job of another type. */
async function givenMonth(): Promise<GivenTeam> {
  const team = await given.team({ credits: 10, team_alias: 'Research' });
  const own = as(gateway, team);
  const path = `/api/teams/${team.teamId}/credits`;
  for (let n = 0; n < 2; n++) expectOk(await own.complete(await given.job(team)));
  const refunded = await given.job(team);
  expectOk(await own.complete(refunded));
  expectOk(await admin.post(`${path}/refund`, { job_id: refunded, reason: 'a gift' }));
  expectOk(await own.complete(await given.job(team, { job_type: 'letter' }), 'failed'));
  expectOk(await own.post(`/api/jobs/${await given.job(team, { job_type: 'letter' })}/cancel`));
  await given.job(team, { job_type: 'letter' });
  expectOk(await admin.post(`${path}/allocate`, { credits_amount: 5 }));
  expectOk(await admin.post(`${path}/adjust`, { credits_amount: -4, reason: 'correction' }));
  return team;
}

const noJobs = { completed: 0, failed: 0, cancelled: 0, open: 0, charged_jobs: 0, credits_charged: 0 };

test('a statement has the balances of the month, what changed them, and its jobs by outcome and type, as other figures have them (spec 8.12)', async () => {
  const team = await givenMonth();

  const statement = await statementOf(team);

  expect(statement).toMatchObject({
    team_id: team.teamId,
    team_alias: 'Research',
    organization_id: team.organizationId,
    period: period(),
    from: `${period()}-01T00:00:00.000Z`,
    is_complete: false,
    credits: { opening_balance: 0, allocated: 15, deducted: 3, refunded: 1, adjusted: -4, closing_balance: 9 },
    jobs: { jobs: 6, completed: 3, failed: 1, cancelled: 1, open: 1, charged_jobs: 3, credits_charged: 3 },
    job_types: [
      { ...noJobs, job_type: 'letter', jobs: 3, failed: 1, cancelled: 1, open: 1 },
      { ...noJobs, job_type: 'report', jobs: 3, completed: 3, charged_jobs: 3, credits_charged: 3 },
    ],
  });
  const { summary } = expectOk(await admin.get(`/api/teams/${team.teamId}/usage?period=${period()}`));
  expect(summary).toMatchObject({ total_jobs: 6, successful_jobs: 3, failed_jobs: 1, cancelled_jobs: 1 });
  expect((await as(gateway, team).credits()).credits_remaining).toBe(9);
  expect(expectOk(await admin.get(`/api/teams/${team.teamId}/statement?period=${period()}`))).toEqual(statement);
});

test('the closing balance of a month is the opening one of the next, and a month without anything has the balance of before (spec 8.12)', async () => {
  const team = await givenMonth();
  const [year, month] = period().split('-').map(Number) as [number, number];
  const of = (months: number) => new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 7);

  const [before, now, next] = [
    await statementOf(team, of(-1)),
    await statementOf(team),
    await statementOf(team, of(1)),
  ];

  expect(before).toMatchObject({
    is_complete: true,
    credits: { opening_balance: 0, closing_balance: 0 },
    job_types: [],
  });
  expect(next.credits).toEqual({
    opening_balance: now.credits.closing_balance,
    allocated: 0,
    deducted: 0,
    refunded: 0,
    adjusted: 0,
    closing_balance: now.credits.closing_balance,
  });
  expect(next.jobs).toEqual({ jobs: 0, ...noJobs });
});

test('the file of a statement has a line for each figure of the credits, each type and all jobs (spec 8.12)', async () => {
  const team = await givenMonth();

  const { text } = await as(gateway, team).get(`/api/teams/${team.teamId}/statement?period=${period()}&format=csv`);

  const lines = text.replace('\ufeff', '').trimEnd().split('\r\n');
  expect(lines[0]).toBe('period,line,job_type,credits,jobs,completed,failed,cancelled,open,charged_jobs');
  expect(lines.slice(1).map((line) => line.replace(`"${period()}",`, ''))).toEqual([
    '"opening_balance",,0,,,,,,',
    '"allocated",,15,,,,,,',
    '"deducted",,3,,,,,,',
    '"refunded",,1,,,,,,',
    '"adjusted",,-4,,,,,,',
    '"closing_balance",,9,,,,,,',
    '"job_type","letter",0,3,0,1,1,1,0',
    '"job_type","report",3,3,3,0,0,0,3',
    '"jobs",,3,6,3,1,1,1,3',
  ]);
});

test('a team is not shown a statement of another team, nor of a period that is no month', async () => {
  const [team, other] = [await given.team(), await given.team()];

  const { status } = await as(gateway, team).get(`/api/teams/${other.teamId}/statement?period=${period()}`);
  const invalid = await as(gateway, team).get(`/api/teams/${team.teamId}/statement?period=2026-13`);

  expect([status, invalid.status]).toEqual([403, 422]);
});

test('a team is listed the names that it can call with what they accept, and no concrete model (spec 7.16)', async () => {
  const access = await given.accessGroup();
  const fields = {
    description: 'For letters',
    max_output_tokens: 900,
    extra_fields: ['top_k'],
    access_groups: [access],
  };
  const alias = await given.alias(fields);
  const team = await given.team({ access_groups: [access] });

  const { models } = expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/models`));

  const named = (name: string) => models.find((model: Json) => model.name === name);
  expect(models).toHaveLength(2);
  expect(named(alias)).toEqual({
    name: alias,
    kind: 'alias',
    display_name: null,
    description: 'For letters',
    max_output_tokens: 900,
    extra_fields: ['top_k'],
    blocked_fields: [],
  });
  expect(named(team.modelGroup)).toMatchObject({ kind: 'group', max_output_tokens: null });
  expect(JSON.stringify(models)).not.toContain('sim-ok');
  const { data } = expectOk(await as(gateway, team).get('/v1/models'));
  expect(data.map(({ id }: Json) => id)).toEqual(models.map(({ name }: Json) => name));
});

test('without SHOW_COST_TO_TEAMS a team that signed in has no cost in its overview and its series, and its key and an admin have (spec 19.80)', async () => {
  const team = await given.team();
  const job = expectOk(await as(gateway, team).single()).job_id;
  const own = as(gateway, team);
  const page = await browserIn(gateway).signedIn({ virtual_key: team.key });

  const overview = expectOk(await page.get('/api/overview'));
  const others = [await own.get('/api/overview'), await admin.get(`/api/overview?team_id=${team.teamId}`)];

  expect(overview.cost_usd).toMatchObject({ value: null, previous: null });
  expect(overview.cost_by_model_group).toEqual([]);
  for (const other of others) expect(expectOk(other).cost_usd.value).toEqual(expect.any(Number));
  expect(await page.get('/api/usage/series?metric=cost_usd')).toMatchObject({ status: 403 });
  expectOk(await page.get('/api/usage/series?metric=tokens'));
  for (const each of [own, admin]) expectOk(await each.get('/api/usage/series?metric=cost_usd'));
  expect(expectOk(await own.get(`/api/jobs/${job}/costs`)).costs.total_cost_usd).toEqual(expect.any(Number));
  expect(expectOk(await own.get('/api/jobs')).jobs[0].total_cost_usd).toEqual(expect.any(Number));
});

test('a session says whether its pages show costs, and whom a team asks (spec 19.80, spec 19.81)', async () => {
  const team = await given.team();

  const { session } = await browserIn(gateway).signedIn({ virtual_key: team.key });

  expect(session).toMatchObject({ sees_cost: false, support_contact: 'credits@example.com' });
  expect(expectOk(await admin.get('/api/session')).sees_cost).toBe(true);
});

describe('with SHOW_COST_TO_TEAMS', () => {
  const open = gatewayForTests({ settings: { SHOW_COST_TO_TEAMS: 'on' } });

  test('a team that signed in has costs in its overview and its series (spec 19.80)', async () => {
    const team = await givenIn(open).team();
    expectOk(await as(open, team).single());

    const { session, get } = await browserIn(open).signedIn({ virtual_key: team.key });

    expect(expectOk(await get('/api/overview')).cost_usd.value).toEqual(expect.any(Number));
    expectOk(await get('/api/usage/series?metric=cost_usd'));
    expect(session).toMatchObject({ sees_cost: true, support_contact: null });
  });
});
