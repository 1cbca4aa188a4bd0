import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { until } from '../../support/until.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const thisMonth = () => new Date().toISOString().slice(0, 7);
const usageOf = async (team: GivenTeam, period = thisMonth()) =>
  (await as(gateway, team).get(`/api/teams/${team.teamId}/usage?period=${period}`)).body;

/** A job with one call of 1,000 millionths of a dollar for each. */
async function givenJob(team: GivenTeam, job_type: string, calls: number, end?: 'completed' | 'failed' | 'cancel') {
  const job = await given.job(team, { job_type });
  for (let call = 0; call < calls; call += 1) expectOk(await as(gateway, team).call(job));
  if (end === 'cancel') expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));
  else if (end) expectOk(await as(gateway, team).complete(job, end));
  return job;
}

test('the usage of a month has the jobs created in it, finished or open, by their types (spec 8.8)', async () => {
  const team = await given.team({ credits: 5, models: ['sim-cost-1000-prompt-tokens-3-tokens-4'] });
  await givenJob(team, 'report', 2, 'completed');
  await givenJob(team, 'report', 1, 'failed');
  await givenJob(team, '__proto__', 1, 'cancel');
  await givenJob(team, 'draft', 1);
  // An open job's call is recorded after its answer has gone out.
  const usage = await until(
    () => usageOf(team),
    ({ summary }) => summary.total_tokens === 35,
  );

  expect(usage).toEqual({
    team_id: team.teamId,
    period: thisMonth(),
    summary: {
      total_jobs: 4,
      successful_jobs: 1,
      failed_jobs: 1,
      cancelled_jobs: 1,
      total_cost_usd: 0.005,
      total_tokens: 35,
      avg_cost_per_job: 0.00125,
    },
    job_types: Object.fromEntries([
      ['report', { count: 2, cost_usd: 0.003 }],
      ['__proto__', { count: 1, cost_usd: 0.001 }],
      ['draft', { count: 1, cost_usd: 0.001 }],
    ]),
  });
});

test('the usage of a month without jobs is zero, also for the first and the last month', async () => {
  const team = await given.team();

  for (const period of ['0000-01', '1999-12', '9999-12']) {
    expect(await usageOf(team, period)).toMatchObject({
      summary: { total_jobs: 0, avg_cost_per_job: 0 },
      job_types: {},
    });
    const organization = await admin.get(`/api/organizations/${team.organizationId}/usage?period=${period}`);
    expect(organization.body).toMatchObject({ summary: { total_jobs: 0, credits_used: 0 } });
  }
});

test('a job counts in the month of its creation, its credit in the month of the deduction (spec 8.4)', async () => {
  const team = await given.team({ credits: 5 });
  const job = await given.job(team);
  await gateway.current.deps.database.pool.query(
    `update jobs set created_at = '2026-01-31T23:59:59.999Z' where job_id = $1`,
    [job],
  );
  const jobsIn = async (...periods: string[]) =>
    Promise.all(periods.map(async (period) => (await usageOf(team, period)).summary.total_jobs));
  const whileOpen = await jobsIn('2025-12', '2026-01', '2026-02');
  expectOk(await as(gateway, team).complete(job));

  expect([whileOpen, await jobsIn('2025-12', '2026-01', '2026-02')]).toEqual(Array(2).fill([0, 1, 0]));
  const inMonth = async (period: string) =>
    (await admin.get(`/api/organizations/${team.organizationId}/usage?period=${period}`)).body.summary;
  expect(await inMonth('2026-01')).toMatchObject({ total_jobs: 1, credits_used: 0 });
  expect(await inMonth(thisMonth())).toMatchObject({ total_jobs: 0, credits_used: 1 });
});

test('the usage of an organization is the sum of its teams, less refunds (spec 8.9)', async () => {
  const organizationId = await given.organization();
  const busy = await given.team({ organizationId, credits: 5, models: ['sim-cost-1000-prompt-tokens-3-tokens-4'] });
  const idle = await given.team({ organizationId, teamId: '__proto__' });
  const refunded = await givenJob(busy, 'report', 1, 'completed');
  await givenJob(busy, 'report', 1, 'completed');
  await givenJob(busy, 'report', 0, 'failed');
  await givenJob(busy, 'report', 1);
  expectOk(await admin.post(`/api/teams/${busy.teamId}/credits/refund`, { job_id: refunded }));

  const path = `/api/organizations/${organizationId}/usage?period=${thisMonth()}`;
  const { body } = await until(
    () => as(gateway, busy).get(path),
    ({ body }) => body.summary.total_tokens === 21,
  );

  expect(body).toEqual({
    organization_id: organizationId,
    period: thisMonth(),
    summary: {
      total_jobs: 4,
      completed_jobs: 2,
      failed_jobs: 1,
      cancelled_jobs: 0,
      credits_used: 1,
      total_cost_usd: 0.003,
      total_tokens: 21,
    },
    teams: Object.fromEntries([
      [busy.teamId, { jobs: 4, credits_used: 1 }],
      [idle.teamId, { jobs: 0, credits_used: 0 }],
    ]),
  });
});

test.each(['2026-1', '2026-13', '2026-00', '202601', '2026-01-01', '', '2026-01%0a', '٢٠٢٦-٠١'])(
  'usage with the period %j is refused (spec 8.4)',
  async (period) => {
    const team = await given.team();

    for (const path of [`/api/teams/${team.teamId}`, `/api/organizations/${team.organizationId}`]) {
      expect(await admin.get(`${path}/usage?period=${period}`)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['query', 'period'], type: 'string_pattern_mismatch' }] },
      });
    }
  },
);

test('usage without a period is refused', async () => {
  const team = await given.team();

  expect(await admin.get(`/api/teams/${team.teamId}/usage`)).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['query', 'period'], type: 'missing' }] },
  });
});
