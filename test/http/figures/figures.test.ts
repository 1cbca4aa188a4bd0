import { rollUpCalls } from '../../../src/db/maintenance/roll-up-calls.ts';
import { bucketStart, buckets, dayMs } from '../../../src/domain/time/buckets.ts';
import {
  clockOf,
  type SeriesClock,
  type SeriesGrouping,
  type SeriesMetric,
  seriesGroupings,
  seriesMetrics,
  sourceOf,
} from '../../../src/domain/usage-series.ts';
import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { recordJob, recordTeam } from '../../support/given-record.ts';
import { checkLedger } from '../../support/ledger.ts';
import type { Json } from '../../support/send-request.ts';

const limits = { RATE_LIMIT_READS_PER_MINUTE: '10000', RATE_LIMIT_REQUESTS_PER_MINUTE: '10000' };
const gateway = gatewayForTests({ worker: false, settings: { USD_PER_CREDIT: '0.25', ...limits } });
const given = givenIn(gateway);
const admin = asAdmin(gateway);
const get = async (path: string): Promise<Json> => expectOk(await admin.get(path));

const today = bucketStart('day', new Date());
const daysAgo = (days: number, hours = 0) => new Date(today.getTime() - days * dayMs + hours * 3_600_000);
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);
const [from, until] = [daysAgo(20), daysAgo(-1)];
const range = `from=${dayOf(from)}&to=${dayOf(today)}`;

const query = async (sql: string, values: unknown[] = []): Promise<Json[]> =>
  (await gateway.current.deps.database.pool.query(sql, values)).rows;

/** Exact to the last digit of a double. */
const numberOf = async (sql: string, values: unknown[] = [from, until]): Promise<number> =>
  Number((await query(`select coalesce((${sql}), 0)::text as value`, values))[0].value);

/** A record of each kind: ends, charges with and without a price, refunds, fallbacks, failures, users, aliases, teams and organizations. */
beforeAll(async () => {
  const { database } = gateway.current.deps;
  await recordTeam(database, 'acme', 'acme-one', 1_000);
  await recordTeam(database, 'acme', 'acme-two', 1_000);
  await recordTeam(database, 'other', 'other-one', 1_000);
  const call = { cost_usd: '0.1', tokens: 10 };
  const failed = { ...call, status: 'failed', latency_ms: 900 } as const;
  const fallback = { ...call, models: ['gpt', 'claude'], latency_ms: 2_500, cost_usd: '0.0000003' };
  for (const [days, team] of [
    [0, 'acme-one'],
    [1, 'acme-one'],
    [5, 'acme-two'],
    [19, 'other-one'],
    [20, 'other-one'],
    [21, 'acme-one'],
    [35, 'acme-two'],
  ] as const) {
    const job = { team, created_at: daysAgo(days, 0) };
    await recordJob(database, { ...job, end: 'completed', credits: 3, usd_per_credit: '0.25', calls: [call, call] });
    await recordJob(database, { ...job, end: 'completed', user_id: 'grace', calls: [fallback] });
    await recordJob(database, { ...job, end: 'completed', refunded: true, usd_per_credit: '0.4', calls: [call] });
    await recordJob(database, { ...job, end: 'completed', refunded: true, job_type: 'letter', calls: [call] });
    await recordJob(database, { ...job, end: 'completed', credits: 0, user_id: 'ada', calls: [call, failed] });
    await recordJob(database, {
      ...job,
      end: 'failed',
      job_type: 'letter',
      calls: [failed, { ...call, model_group: null }],
    });
    await recordJob(database, { ...job, end: 'cancelled', calls: [{ ...failed, failure: null, error: 'cancelled' }] });
    await recordJob(database, { ...job, job_type: 'draft', calls: [call] });
    await recordJob(database, { ...job, job_type: 'draft' });
  }
  await rollUpCalls(database, () => undefined, { settledAfterMs: 0 });
});

const inRange = (column: string) => `${column} >= $1 and ${column} < $2`;
const jobs = (value: string) => `select ${value} from jobs j where ${inRange('created_at')}`;
const calls = (value: string) =>
  `select ${value} from calls where recorded_at is not null and ${inRange('finished_at')}`;
const signed = `case t.transaction_type when 'deduction' then t.credits_amount when 'refund' then -t.credits_amount else 0 end`;
const charges = (value: string) =>
  `select sum(${value}) from credit_transactions t join jobs j on j.job_id = t.job_id where ${inRange('j.created_at')}`;

/** The same figures from the rows themselves. */
const recorded: Record<SeriesClock, Partial<Record<SeriesMetric, string>>> = {
  job_created: {
    jobs: jobs('count(*)'),
    calls: jobs('sum(total_calls)'),
    tokens: jobs('sum(total_tokens)'),
    cost_usd: jobs('sum(total_cost_usd)'),
    credits: charges(signed),
    revenue_usd: charges(`${signed} * coalesce(t.usd_per_credit, 0.25)`),
  },
  ledger: { credits: `select sum(${signed}) from credit_transactions t where ${inRange('created_at')}` },
  call_finished: { calls: calls('count(*)'), tokens: calls('sum(total_tokens)'), cost_usd: calls('sum(cost_usd)') },
};

const near = (value: number) => expect.closeTo(value, 9);

const kinds = seriesMetrics.flatMap((metric) =>
  seriesGroupings.flatMap((group_by) => buckets.map((bucket) => ({ metric, group_by, bucket }))),
);

test('every record adds up: the sums of days and hours are those of jobs, calls and the ledger (spec 19.45)', async () => {
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});

test.each(kinds.filter((kind) => sourceOf(kind)).map((kind) => [JSON.stringify(kind), kind] as const))(
  'the total of the series %s is the sum over the records, of its groups and of its points (spec 19.43)',
  async (_, kind) => {
    const params = new URLSearchParams({ ...kind, top: '2' });
    const series = await get(`/api/usage/series?${params}&${range}`);

    const sum = (values: (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);
    const total = await numberOf(recorded[clockOf(sourceOf(kind)!)][kind.metric]!);
    expect(total).not.toBe(0);
    expect(series.total).toBe(total);
    expect(sum(series.groups.map((group: Json) => group.total)) + (series.other?.total ?? 0)).toEqual(near(total));
    expect(sum(series.points.map((point: Json) => point.total))).toEqual(near(total));
    for (const [index, group] of series.groups.entries())
      expect(sum(series.points.map((point: Json) => point.values[index]))).toEqual(near(group.total));
    expect(sum(series.points.map((point: Json) => point.other))).toEqual(near(series.other?.total ?? 0));
  },
);

test('a series whose metric is not recorded by its group is refused (spec 19.43)', async () => {
  for (const kind of kinds.filter((one) => !sourceOf(one))) {
    const answer = await admin.get(`/api/usage/series?${new URLSearchParams({ ...kind })}`);

    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'group_by'] }] } });
  }
});

test('overview, series, margins, usage, models and lists show the same figures (spec 19.45)', async () => {
  const overview = await get(`/api/overview?${range}`);
  const series = (metric: SeriesMetric, group_by: SeriesGrouping = 'none') =>
    get(`/api/usage/series?metric=${metric}&group_by=${group_by}&${range}`);
  const margins = await get(`/api/usage/margins?${range}&group_by=team_id`);
  const list = await get(`/api/jobs?start_date=${dayOf(from)}&end_date=${dayOf(today)}&limit=1`);
  const models = await get(`/api/usage/models?${range}`);
  const count = (condition: string) => numberOf(jobs(`count(*) filter (where ${condition})`));

  expect(overview.jobs.value).toBe(list.total);
  expect(overview.jobs.value).toBe((await series('jobs')).total);
  expect(overview.jobs.value).toBe(margins.total.jobs);
  expect(overview.cost_usd.value).toBe((await series('cost_usd')).total);
  expect(overview.cost_usd.value).toBe(margins.total.cost_usd);
  expect(overview.credits_charged.value).toBe(margins.total.credits_charged);
  expect(overview.margin_usd.value).toBe(margins.total.margin_usd);
  expect(margins.total.credits).toBe((await series('credits', 'job_type')).total);
  expect(margins.total.revenue_usd).toBe((await series('revenue_usd')).total);
  expect(margins.total.free_cost_usd).toBe(
    await numberOf(jobs('sum(total_cost_usd) filter (where completed_at is not null and not credit_applied)')),
  );
  expect(margins.total.failed_cost_usd).toBe(
    await numberOf(jobs(`sum(total_cost_usd) filter (where status = 'failed')`)),
  );
  expect(margins.total.charged_jobs).toBe(await count('credit_applied'));
  expect(overview.success_rate.value).toBe(
    (await count(`status = 'completed'`)) / (await count('completed_at is not null')),
  );
  const outcomes = (await series('jobs', 'outcome')).groups;
  for (const { key, total } of outcomes) {
    const condition = key === 'open' ? 'completed_at is null' : `status = '${key}'`;
    expect(total).toBe(await count(condition));
    expect(overview.outcomes.reduce((sum: number, one: Json) => sum + one[key], 0)).toBe(total);
  }
  expect(overview.cost_by_model_group).toEqual(
    (await series('cost_usd', 'model_group')).groups.map(({ key, total }: Json) => ({
      model_group: key,
      cost_usd: total,
    })),
  );
  const calls = (await series('calls', 'model_group')).groups;
  for (const { model_group, calls: count } of models.groups)
    expect(count).toBe(calls.find(({ key }: Json) => key === model_group).total);
});

test('ledger, balances, margins and usage show the same credits, and each list of jobs has as many jobs as its figure (spec 19.45)', async () => {
  const thisMonth = dayOf(today).slice(0, 7);
  const ledger = await get('/api/transactions?limit=1&count=exact');
  const [teams, organizations] = [
    await query('select team_id from teams'),
    await query('select organization_id from organizations'),
  ];
  const credits = await Promise.all(teams.map(({ team_id }) => get(`/api/teams/${team_id}/credits`)));
  const usage = await Promise.all(
    organizations.map(({ organization_id }) => get(`/api/organizations/${organization_id}/usage?period=${thisMonth}`)),
  );
  const sumOver = (answers: Json[], value: (answer: Json) => number) =>
    answers.reduce<number>((sum, answer) => sum + value(answer), 0);
  const ofType = (type: string) =>
    numberOf(`select sum(credits_amount) from credit_transactions where transaction_type = '${type}'`, []);

  const { deduction, refund, allocation } = ledger.sum_credits;
  const used = deduction - refund;
  expect(ledger.total).toBe(await numberOf('select count(*) from credit_transactions', []));
  expect([deduction, refund, allocation]).toEqual([
    await ofType('deduction'),
    await ofType('refund'),
    await ofType('allocation'),
  ]);
  // Every row of the ledger was written while this test ran, whenever its job was created.
  expect((await get(`/api/usage/series?metric=credits&group_by=team_id&${range}`)).total).toBe(used);
  expect(sumOver(credits, (account) => account.credits_used)).toBe(used);
  expect(sumOver(credits, (account) => account.credits_remaining)).toBe(allocation - used);
  expect(sumOver(usage, ({ summary }) => summary.credits_used)).toBe(used);
  expect(await get('/api/ledger/check')).toMatchObject({ consistent: true, accounts: teams.length, mismatches: [] });

  const overview = await get(`/api/overview?${range}`);
  const margins = await get(`/api/usage/margins?${range}&group_by=job_type`);
  const days = `start_date=${dayOf(from)}&end_date=${dayOf(today)}`;
  const listed = async (filter: string): Promise<number> => (await get(`/api/jobs?${days}&limit=1&${filter}`)).total;
  for (const status of ['completed', 'failed', 'cancelled'])
    expect(await listed(`status=${status}`)).toBe(sumOver(overview.outcomes, (one) => one[status]));
  expect(await listed('status=pending&status=in_progress')).toBe(sumOver(overview.outcomes, ({ open }) => open));
  expect(await listed('charged=true')).toBe(margins.total.charged_jobs);
  for (const { key, jobs } of margins.rows) expect(await listed(`job_type=${key}`)).toBe(jobs);
  expect((await get(`/api/jobs/histogram?${days}`)).total).toBe(overview.jobs.value);
});

test('the overview compares the range with the period of the same length before it (spec 19.44)', async () => {
  const overview = await get(`/api/overview?${range}`);

  const before = [daysAgo(41), from];
  const previous = {
    jobs: await numberOf(jobs('count(*)'), before),
    cost_usd: await numberOf(jobs('sum(total_cost_usd)'), before),
  };
  expect(overview.jobs.previous).toBe(previous.jobs);
  expect(overview.cost_usd.previous).toBe(previous.cost_usd);
  expect(previous.jobs).toBeGreaterThan(0);
  expect(overview.buckets).toHaveLength(21);
  expect(overview.jobs.spark.reduce((sum: number, value: number) => sum + value, 0)).toBe(overview.jobs.value);
  expect(overview.newest_failures).toHaveLength(7);
});

test('margins have a row for each team, with the revenue of its jobs at the price that their charge recorded (spec 19.42, spec 19.46)', async () => {
  const { rows, rows_total, usd_per_credit } = await get(`/api/usage/margins?${range}&group_by=team_id`);

  expect(usd_per_credit).toBe(0.25);
  expect(rows_total).toBe(3);
  const one = rows.find(({ key }: Json) => key === 'acme-one');
  // Two days: three credits at 0.25, one without a price, and two that were refunded.
  expect(one).toMatchObject({
    label: 'Alias of acme-one',
    jobs: 18,
    charged_jobs: 8,
    free_jobs: 6,
    failed_jobs: 2,
    credits_charged: 12,
    credits_refunded: 4,
    credits: 8,
    revenue_usd: 2,
  });
  expect(one.margin_usd).toEqual(near(one.revenue_usd - one.cost_usd));
  expect(one.margin_percent).toEqual(expect.closeTo((100 * one.margin_usd) / one.revenue_usd, 1));
});

test('a model that fails before another one answers has an error, and the call has a fallback (spec 19.47)', async () => {
  const { models, groups } = await get(`/api/usage/models?${range}`);

  const gpt = models.find(({ model }: Json) => model === 'gpt');
  const claude = models.find(({ model }: Json) => model === 'claude');
  // Five days in the range: a fallback and two failed calls of each.
  expect(claude).toMatchObject({
    attempts: 5,
    errors: 0,
    calls: 5,
    fallbacks: 5,
    error_rate: 0,
    model_groups: ['chat'],
  });
  expect(gpt).toMatchObject({ errors: 5 * 4, calls: 5 * 10, fallbacks: 0, errors_by_kind: { error: 10 } });
  const chat = groups.find(({ model_group }: Json) => model_group === 'chat');
  expect(chat).toMatchObject({ errors: 10, errors_by_kind: { error: 10 }, fallbacks: 5 });
  expect(chat.p95_latency_ms).toBeGreaterThan(2_000);
  expect(chat.p95_latency_ms).toBeLessThan(3_000);
});

test('a team sees its own figures, without the price of credits (spec 19.40)', async () => {
  const team = await given.team();
  const { database } = gateway.current.deps;
  await recordJob(database, { team: team.teamId, created_at: daysAgo(0), end: 'completed', usd_per_credit: '0.25' });
  const own = as(gateway, team);

  const overview = expectOk(await own.get(`/api/overview?${range}`));
  const series = expectOk(await own.get(`/api/usage/series?metric=jobs&group_by=team_id&${range}`));

  expect(overview).toMatchObject({
    jobs: { value: 1 },
    credits_charged: { value: 1 },
    margin_usd: { value: null },
    attention: null,
  });
  expect(overview.burn_rate).toMatchObject({
    team_id: team.teamId,
    credits_used: 1,
    credits_remaining: 4,
    is_estimate: true,
  });
  expect(overview.burn_rate.lasts_days).toBeNull();
  expect(series.groups).toEqual([{ key: team.teamId, label: team.teamId, total: 1 }]);
  expect((await own.get('/api/usage/series?metric=revenue_usd')).status).toBe(403);
  expect((await own.get('/api/overview?team_id=acme-one')).status).toBe(403);
  expect((await own.get('/api/usage/series?organization_id=acme')).status).toBe(403);
});

test('credits last for days only where a fixed budget is used (spec 19.48)', async () => {
  const [used, unused, unlimited] = [await given.team(), await given.team(), await given.team({ credit_limit: null })];
  const { database } = gateway.current.deps;
  const { pool } = database;
  await pool.query(`update teams set created_at = now() - interval '2 days' where team_id = any ($1)`, [
    [used, unused, unlimited].map(({ teamId }) => teamId),
  ]);
  for (const { teamId } of [used, unlimited])
    await recordJob(database, { team: teamId, created_at: daysAgo(0), end: 'completed', credits: 2 });

  const rates = await Promise.all([used, unused, unlimited].map(({ teamId }) => get(`/api/teams/${teamId}/burn-rate`)));

  expect(rates).toMatchObject([
    { credits_remaining: 3, credits_used: 2, days: 2, credits_per_day: 1, lasts_days: 3 },
    { credits_remaining: 5, credits_used: 0, credits_per_day: 0, lasts_days: null },
    { credits_remaining: 3, credit_limit: null, credits_per_day: 1, lasts_days: null },
  ]);
  expect(await admin.get('/api/teams/nobody/burn-rate')).toMatchObject({ status: 404 });
});

test('a team that is less than a day old has no rate of use, and no figure of how long its credits last (spec 19.48)', async () => {
  const { teamId } = await given.team();
  await recordJob(gateway.current.deps.database, {
    team: teamId,
    created_at: daysAgo(0),
    end: 'completed',
    credits: 2,
  });

  const rate = await get(`/api/teams/${teamId}/burn-rate`);

  expect(rate).toMatchObject({ credits_used: 2, credits_per_day: null, lasts_days: null });
  expect(rate.days).toBeLessThan(1);
});

test('an admin reads the figures of one team, and of one organization (spec 19.40)', async () => {
  const ofTeam = await get(`/api/overview?${range}&team_id=acme-two`);
  const ofOrganization = await get(`/api/usage/series?metric=jobs&${range}&organization_id=acme`);

  expect(ofTeam.jobs.value).toBe(9);
  expect(ofTeam.newest_failures.map(({ team_id }: Json) => team_id)).toEqual(['acme-two', 'acme-two']);
  expect(ofOrganization.total).toBe(27);
});

test('buckets of calls begin with the days of the zone, and those of jobs with days of UTC (spec 19.43)', async () => {
  const day = dayOf(daysAgo(5));
  const seriesIn = (metric: string, tz: string, group_by: string) =>
    get(`/api/usage/series?metric=${metric}&group_by=${group_by}&tz=${tz}&from=${day}&to=${day}`);

  const calls = await seriesIn('calls', 'Pacific/Honolulu', 'none');
  const jobs = await seriesIn('jobs', 'Pacific/Honolulu', 'none');
  const half = await seriesIn('calls', 'Asia/Kolkata', 'none');
  const days = await get(`/api/usage/series?metric=calls&tz=Europe/Berlin&from=${day}&to=${dayOf(daysAgo(4))}`);

  expect(calls).toMatchObject({
    tz: 'Pacific/Honolulu',
    from: `${day}T10:00:00.000Z`,
    clock: 'call_finished',
    total: 0,
  });
  expect(jobs).toMatchObject({ tz: 'UTC', from: `${day}T00:00:00.000Z`, clock: 'job_created', total: 9 });
  expect(days.points).toMatchObject([{ total: 11 }, { total: 0 }]);
  expect(half).toMatchObject({ tz: 'UTC', from: `${day}T00:00:00.000Z`, total: 11 });
});

test('buckets after the last call that was added, or after now, are null because nothing is known of them yet (spec 19.43)', async () => {
  const to = dayOf(daysAgo(-3));

  const jobs = await get(`/api/usage/series?metric=jobs&from=${dayOf(daysAgo(1))}&to=${to}`);
  const calls = await get(`/api/usage/series?metric=calls&bucket=hour&from=${dayOf(today)}&to=${to}`);

  expect(jobs.points.map(({ total }: Json) => total === null)).toEqual([false, false, true, true, true]);
  const known = calls.points.filter(({ at }: Json) => at < calls.complete_until).length;
  expect(calls.points.map(({ total }: Json) => total === null)).toEqual(
    calls.points.map((_: Json, n: number) => n >= known),
  );
  expect(calls.points).toHaveLength(96);
});

test.each([
  ['/api/usage/series?tz=Europe/Nowhere', ['query', 'tz']],
  ['/api/usage/series?from=2026-02-02&to=2026-02-01', ['query', 'from']],
  ['/api/usage/series?from=3026-02-02', ['query', 'from']],
  ['/api/usage/series?from=0000-01-01', ['query', 'from']],
  ['/api/usage/series?from=9999-12-30&to=9999-12-31', ['query', 'from']],
  ['/api/usage/series?metric=calls&bucket=hour&from=2026-01-01&to=2026-03-01', ['query', 'bucket']],
  ['/api/usage/series?group_by=user_id&from=2026-01-01&to=2026-06-01', ['query', 'from']],
  ['/api/usage/series?metric=money', ['query', 'metric']],
  ['/api/usage/series?top=0', ['query', 'top']],
  ['/api/overview?from=0001-01-01&to=0001-01-02', ['query', 'from']],
  ['/api/overview?from=yesterday', ['query', 'from']],
  ['/api/usage/margins?period=2026-13', ['query', 'period']],
  ['/api/usage/margins?period=2026-01&from=2026-01-01', ['query', 'period']],
  ['/api/usage/models?from=2025-01-01&to=2026-01-01', ['query', 'from']],
])('the figures %s are refused with a reason (spec 19.40)', async (path, loc) => {
  expect(await admin.get(path)).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
});
