import { randomUUID } from 'node:crypto';
import { retractJobs } from '../../../src/db/jobs/retract-jobs.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello, type TeamOptions } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const sql = async (text: string, values: unknown[] = []) =>
  (await gateway.current.deps.database.pool.query(text, values)).rows;

const reserving = (options: TeamOptions = {}) => given.team({ low_balance_policy: 'reserve', ...options });

const change = (team: GivenTeam, settings: object) => given.admin('put', `/api/teams/${team.teamId}`, settings);

/** What the two answers about the account have of reservations, which is the same. */
async function held(team: GivenTeam) {
  const short = await as(gateway, team).credits();
  const balance = expectOk(await as(gateway, team).get('/api/credits/balance'));
  const ofAnswer = ({ credits_held, credits_available }: Record<string, number>) => ({
    credits_held,
    credits_available,
  });
  expect(ofAnswer(balance)).toEqual(ofAnswer(short));
  return [short.credits_remaining, short.credits_held, short.credits_available];
}

const create = (team: GivenTeam, fields: object = {}, headers?: Record<string, string>) =>
  as(gateway, team).post('/api/jobs/create', { team_id: team.teamId, job_type: 'report', ...fields }, headers);

const reasons = async (team: GivenTeam) =>
  expectOk(await as(gateway, team).get('/api/credits/transactions?transaction_type=deduction')).transactions.map(
    ({ credits_amount, reason }: { credits_amount: number; reason: string }) => `${credits_amount} ${reason}`,
  );

afterEach(async () => {
  expect(await checkLedger(gateway.current.deps.database, { inFlight: true })).toEqual([]);
});

test('each new job reserves its price, and answers about the account and the open job show it, lists too (spec 24.1, spec 24.3)', async () => {
  const team = await reserving({ credits: 5 });
  await given.admin('put', `/api/teams/${team.teamId}/job-types/dear`, { credits: 3 });
  await given.admin('put', `/api/teams/${team.teamId}/job-types/free`, { credits: 0 });

  const [usual, dear, free] = [
    await create(team),
    await create(team, { job_type: 'dear' }),
    await create(team, { job_type: 'free' }),
  ];

  const shown = async (path: string) => expectOk(await as(gateway, team).get(path));
  const byType = (jobs: { job_type: string; credits_held?: number }[]) =>
    Object.fromEntries(jobs.map(({ job_type, credits_held }) => [job_type, credits_held]));
  expect([usual, dear, free].map((answer) => expectOk(answer).credits_held)).toEqual([1, 3, undefined]);
  expect(await held(team)).toEqual([5, 4, 1]);
  expect((await shown(`/api/jobs/${dear.body.job_id}`)).credits_held).toBe(3);
  for (const list of ['/api/jobs', `/api/teams/${team.teamId}/jobs`])
    expect(byType((await shown(list)).jobs)).toEqual({ report: 1, dear: 3, free: undefined });
  await as(gateway, team).complete(dear.body.job_id);
  expect(await shown(`/api/jobs/${dear.body.job_id}`)).not.toHaveProperty('credits_held');
});

test.each<[string, TeamOptions, object, number]>([
  [
    'by its cost is its cap times the rate',
    { budget_mode: 'consumption_usd', credits_per_dollar: 3 },
    { max_cost_usd: 1.5 },
    5,
  ],
  [
    'by its tokens is its cap by the rate',
    { budget_mode: 'consumption_tokens', tokens_per_credit: 300 },
    { max_tokens: 700 },
    3,
  ],
  ['by its cost is not of its tokens', { budget_mode: 'consumption_usd', reserve_credits: 4 }, { max_tokens: 700 }, 4],
  ['by its cost without a budget is that of its team', { budget_mode: 'consumption_usd', reserve_credits: 4 }, {}, 4],
  ['by its cost is 1 by default', { budget_mode: 'consumption_usd' }, {}, 1],
])('the reservation of a job that is charged %s (spec 24.1)', async (_, options, budget, reservation) => {
  const team = await reserving({ credits: 10, ...options });

  expect(expectOk(await create(team, { budget })).credits_held).toBe(reservation);
});

test('a team that does not reserve has no such fields (spec 24.3)', async () => {
  const team = await given.team();

  const created = expectOk(await create(team));

  expect(created).not.toHaveProperty('credits_held');
  expect(await as(gateway, team).credits()).not.toHaveProperty('credits_held');
});

test('with too few credits available every kind of creation is refused, and makes nothing (spec 24.2)', async () => {
  const team = await reserving({ credits: 1, job_key_from: ['body:user'] });
  const open = expectOk(await create(team)).job_id;
  const chat = { model: team.modelGroup, messages: hello };

  const refused = [await create(team), await as(gateway, team).single(), await as(gateway, team).singleStream()];
  const underV1 = [chat, { ...chat, user: 'task-1' }].map((body) =>
    as(gateway, team).post('/v1/chat/completions', body),
  );

  for (const answer of refused) expect(answer).toMatchObject({ status: 403, body: { detail: 'Insufficient credits' } });
  for (const answer of await Promise.all(underV1))
    expect(answer).toMatchObject({ status: 429, body: { error: { code: 'insufficient_quota' } } });
  expect(await sql('select job_id from jobs where team_id = $1', [team.teamId])).toEqual([{ job_id: open }]);
  expect(await held(team)).toEqual([1, 1, 0]);
});

test('jobs of an unlimited budget reserve and are not checked (spec 24.2, spec 24.3)', async () => {
  const team = await reserving({
    credits: 1,
    credit_limit: null,
    budget_mode: 'consumption_usd',
    reserve_credits: 1_000_000_000,
  });

  for (let job = 0; job < 4; job += 1) expectOk(await create(team));

  expect(await held(team)).toEqual([1, 4_000_000_000, -3_999_999_999]);
});

test('of 60 jobs that are created at once, as many are as there are credits (spec 24.2)', async () => {
  const team = await reserving({ credits: 7 });

  const answers = await Promise.all(Array.from({ length: 60 }, () => create(team)));

  const created = answers.filter(({ status }) => status === 200);
  expect(created).toHaveLength(7);
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(53);
  expect(await held(team)).toEqual([7, 7, 0]);
  await Promise.all(created.map(({ body }) => as(gateway, team).complete(body.job_id)));
  expect(await held(team)).toEqual([0, 0, 0]);
});

test('a repeated creation reserves once (spec 24.2)', async () => {
  const team = await reserving();
  const key = { 'Idempotency-Key': randomUUID() };

  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => create(team, {}, key)));

  for (const answer of others) expect([first!.body.job_id, undefined]).toContain(answer.body.job_id);
  expect(await held(team)).toEqual([5, 1, 4]);
});

test('a completed job pays its price, and one that fails or is cancelled pays nothing; each releases its reservation (spec 24.4)', async () => {
  const team = await reserving({ credits: 3 });
  const [completed, failed, cancelled] = [await given.job(team), await given.job(team), await given.job(team)];

  await as(gateway, team).complete(failed, 'failed');
  await as(gateway, team).post(`/api/jobs/${cancelled}/cancel`, {});
  await as(gateway, team).complete(completed);
  await as(gateway, team).single();

  expect(await held(team)).toEqual([1, 0, 1]);
  expect(await reasons(team)).toEqual(['1 Job completed', '1 Job completed']);
});

test('a job whose price exceeds its reservation and the available credits pays its reservation (spec 24.4)', async () => {
  const team = await reserving({
    credits: 5,
    budget_mode: 'consumption_usd',
    credits_per_dollar: 1_000_000,
    reserve_credits: 2,
  });
  const [dear, other] = [await given.job(team), await given.job(team)];
  await as(gateway, team).call(dear);

  const before = expectOk(await as(gateway, team).get(`/api/jobs/${dear}/timeline`)).verdict;
  const { costs } = expectOk(await as(gateway, team).complete(dear));
  const { verdict } = expectOk(await as(gateway, team).get(`/api/jobs/${dear}/timeline`));

  expect(costs).toMatchObject({ credit_applied: true, credits_remaining: 3 });
  expect(await held(team)).toEqual([3, 2, 1]);
  expect(await reasons(team)).toEqual(['2 Job completed (its reservation)']);
  expect(before.sentence).toMatch(/only 3 credits left, and the job would cost its reservation of 2 credits\.$/);
  expect(verdict).toMatchObject({ charged: true, credits: 2, rule: 'charged' });
  expect(verdict.sentence).toMatch(
    /, but no more than its reservation of 2 credits was available\. The team had 5 credits before/,
  );
  await as(gateway, team).complete(other);
  expect(await held(team)).toEqual([2, 0, 2]);
});

test('a price that the reservation and the available credits cover together is paid (spec 24.4)', async () => {
  const team = await reserving({
    credits: 100,
    budget_mode: 'consumption_usd',
    credits_per_dollar: 1_000_000,
    reserve_credits: 2,
  });
  const job = await given.job(team);
  await as(gateway, team).call(job);

  await as(gateway, team).complete(job);

  expect(await reasons(team)).toEqual([expect.stringMatching(/^\d\d Job completed$/)]);
  const [remaining, reserved] = await held(team);
  expect([remaining < 98, reserved]).toEqual([true, 0]);
});

test('a job that was created in a consumption mode and ends with a higher price in job_based pays its reservation (spec 24.4)', async () => {
  const team = await reserving({ credits: 2, budget_mode: 'consumption_usd' });
  await given.admin('put', `/api/teams/${team.teamId}/job-types/report`, { credits: 5 });
  const job = await given.job(team);
  await change(team, { budget_mode: 'job_based', low_balance_policy: 'allow' });

  const { costs } = expectOk(await as(gateway, team).complete(job));

  expect(costs).toMatchObject({ credit_applied: true, credits_remaining: 1 });
  expect(await as(gateway, team).credits()).not.toHaveProperty('credits_held');
});

test('a job without a reservation does not take what others have reserved, whose fields stay with the next policy (spec 24.3, spec 24.5)', async () => {
  const team = await given.team({ credits: 1 });
  const without = await given.job(team);
  await change(team, { low_balance_policy: 'reserve' });
  const reserved = await given.job(team);
  await change(team, { low_balance_policy: 'allow' });

  const first = expectOk(await as(gateway, team).complete(without));
  expect(await held(team)).toEqual([1, 1, 0]);
  const second = expectOk(await as(gateway, team).complete(reserved));

  expect([first, second].map(({ costs }) => costs.credit_applied)).toEqual([false, true]);
  const { verdict } = expectOk(await as(gateway, team).get(`/api/jobs/${without}/timeline`));
  expect(verdict).toMatchObject({
    rule: 'balance_too_low',
    sentence: expect.stringMatching(/which other jobs had reserved\.$/),
  });
});

test('a balance cannot be adjusted below its reservations, nor fixed below them, by the database too (spec 24.6)', async () => {
  const team = await reserving({ credits: 3 });
  await given.job(team);
  await given.job(team);
  const unlimited = await reserving({ credits: 0, credit_limit: null });
  await given.job(unlimited);
  const adjust = (credits_amount: number) =>
    as(gateway, { ...team, key: gateway.current.masterKey }).post(`/api/teams/${team.teamId}/credits/adjust`, {
      credits_amount,
      reason: 'why',
    });

  const adjusted = [await adjust(-2), await adjust(-1)];
  const fixed = await as(gateway, { ...unlimited, key: gateway.current.masterKey }).put(
    `/api/teams/${unlimited.teamId}`,
    { credit_limit: 5 },
  );

  expect(adjusted.map(({ status }) => status)).toEqual([422, 200]);
  expect(adjusted[0]!.text).toContain('less than the credits that open jobs have reserved');
  expect(fixed).toMatchObject({ status: 400 });
  await expect(
    sql('update credit_accounts set credits_held = credits_held + 1 where team_id = $1', [team.teamId]),
  ).rejects.toMatchObject({ constraint: 'fixed_budget_covers_reservations' });
});

test('a job that is retracted releases its reservation (spec 24.6)', async () => {
  const team = await reserving();
  const job = await given.job(team);
  await sql(`update jobs set updated_at = created_at where job_id = $1`, [job]);

  const retracted = await retractJobs(gateway.current.deps.database, [{ id: job, operation: undefined }], {
    isOwn: true,
  });

  expect([...retracted.values()]).toEqual(['retracted']);
  expect(await held(team)).toEqual([5, 0, 5]);
});
