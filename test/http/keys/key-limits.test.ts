import { startApiProcess } from '../../support/api-process.ts';
import { asAdmin } from '../../support/as-admin.ts';
import { deleteStoredAnswers } from '../../support/delete-stored-answers.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello, unique } from '../../support/given.ts';
import { type Answer, sendRequest } from '../../support/send-request.ts';
import { keysIn } from './keys-of-teams.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admin = asAdmin(gateway);
const keys = keysIn(gateway);

const reached = { status: 403, body: { detail: 'Key limit reached', code: 'key_limit_reached' } };
const create = (team: GivenTeam, headers?: Record<string, string>, url = gateway.current.url) =>
  sendRequest(url, 'post', '/api/jobs/create', {
    key: team.key,
    body: { team_id: team.teamId, job_type: 'report' },
    ...(headers && { headers }),
  });
const chat = (team: GivenTeam, headers: Record<string, string> = {}): Promise<Answer> =>
  sendRequest(gateway.current.url, 'post', '/v1/chat/completions', {
    key: team.key,
    body: { model: team.modelGroup, messages: hello },
    headers,
  });
const sums = async (team: GivenTeam, keyId: string): Promise<number[]> => {
  const { credits_used, credits_held } = await keys.find(team, keyId);
  return [credits_used, credits_held];
};
const sql = (text: string, values: unknown[]) => gateway.current.deps.database.pool.query(text, values);
const jobsOf = async (team: GivenTeam): Promise<number> => expectOk(await as(gateway, team).get('/api/jobs')).total;

test('an open job holds its price of a key and its end turns that into use, so that a limit is what all jobs of the key may cost (spec 25.4, money 9.3)', async () => {
  const team = await given.team({ credits: 50 });
  const { keyId, team: further } = await keys.given(team, { credit_limit: 3 });
  const [charged, free] = [await given.job(further), await given.job(further)];
  const held = await sums(team, keyId);
  expectOk(await as(gateway, further).complete(charged));
  const used = await sums(team, keyId);

  expectOk(await create(further));
  expect(await create(further)).toMatchObject(reached);
  expectOk(await as(gateway, further).complete(free, 'failed'));
  expectOk(await create(further));
  expect(await create(further)).toMatchObject(reached);

  expect([held, used, await sums(team, keyId)]).toEqual([
    [0, 2],
    [1, 1],
    [1, 2],
  ]);
  expect(await jobsOf(team)).toBe(4);
});

test('a limit that is reached refuses each way of creating a job and records nothing, while its open jobs and other keys go on (spec 25.4, money 9.3)', async () => {
  const team = await given.team({ credits: 50 });
  const { keyId, team: further } = await keys.given(team, { credit_limit: 1 });
  const { team: other } = await keys.given(team);
  const own = as(gateway, further);
  const task = unique('task');
  const open = (await chat(further, { 'x-external-task-id': task })).headers.get('x-job-id')!;

  const refused = [await create(further), await own.single(), await own.singleStream()];
  const completions = [await chat(further), await chat(further, { 'x-external-task-id': unique('task') })];

  expect(refused).toMatchObject([reached, reached, reached]);
  for (const { status, headers, body } of completions) {
    expect([status, headers.get('x-should-retry')]).toEqual([429, 'false']);
    const error = { message: 'Key limit reached', type: 'insufficient_quota', param: null, code: 'key_limit_reached' };
    expect(body).toEqual({ error });
  }
  expectOk(await chat(further, { 'x-external-task-id': task }));
  expectOk(await own.call(open));
  expect(await jobsOf(team)).toBe(1);
  expectOk(await create(other));
  expectOk(await create(team));
  expect(expectOk(await own.complete(open)).costs).toMatchObject({ total_calls: 3, credit_applied: true });
  expect(await sums(team, keyId)).toEqual([1, 0]);
});

test('of 64 jobs that are created at once with one key over two apis, as many are made as its limit has room for (spec 25.4, money 9.3)', async () => {
  const team = await given.team({ credits: 1_000 });
  const { keyId, team: further } = await keys.given(team, { credit_limit: 7 });
  const other = await startApiProcess(gateway.current);
  const urls = [gateway.current.url, other.url];

  const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => create(further, undefined, urls[n % 2])));
  await other.end();

  const statuses = answers.map(({ status }) => status);
  expect([statuses.filter((one) => one === 200), statuses.filter((one) => one === 403)]).toMatchObject({
    0: { length: 7 },
    1: { length: 57 },
  });
  expect([await jobsOf(team), await sums(team, keyId)]).toEqual([7, [0, 7]]);
});

test('jobs that end while others are created with their key never pass its limit, and none of its credits is lost (spec 25.4)', async () => {
  const team = await given.team({ credits: 1_000 });
  const { keyId, team: further } = await keys.given(team, { credit_limit: 40 });
  const own = as(gateway, further);

  let made = 0;
  await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      for (;;) {
        const answer = await create(further);
        if (answer.status !== 200) return;
        made += 1;
        expectOk(await own.complete(answer.body.job_id, (made + n) % 4 === 0 ? 'failed' : 'completed'));
      }
    }),
  );
  while ((await create(further)).status === 200);

  const [used, held] = await sums(team, keyId);
  expect(used! + held!).toBe(40);
  const { rows } = await sql('select count(*)::int as charged from jobs where key_id = $1 and credit_applied', [keyId]);
  expect(rows[0].charged).toBe(used);
});

test('a repeated creation finds its job although the limit is reached by it, and a refused one may be repeated when there is room (spec 25.4, spec 10.6, spec 10.8)', async () => {
  const team = await given.team({ credits: 50 });
  const { keyId, team: further } = await keys.given(team, { credit_limit: 1 });
  const [made, refused] = [{ 'idempotency-key': unique('key') }, { 'idempotency-key': unique('key') }];
  const first = expectOk(await create(further, made));
  expect(await create(further, refused)).toMatchObject(reached);

  await deleteStoredAnswers(gateway.current);
  expect(expectOk(await create(further, made)).job_id).toBe(first.job_id);
  expect(await create(further, refused)).toMatchObject(reached);
  expectOk(await keys.change(team, keyId, { credit_limit: 2 }));

  expectOk(await create(further, refused));
});

test('a refund takes what a job was charged off the use of its key, on the day of the refund (spec 25.4)', async () => {
  const team = await given.team({ credits: 50 });
  const { keyId, team: further } = await keys.given(team, { credit_limit: 1, limit_reset: 'daily' });
  const refund = (job_id: string) =>
    admin.post(`/api/teams/${team.teamId}/credits/refund`, { job_id, reason: 'A wrong answer' });
  const job = expectOk(await as(gateway, further).single()).job_id;
  const before = await sums(team, keyId);

  expectOk(await refund(job));
  const refunded = await sums(team, keyId);
  expect((await refund(job)).status).toBe(409);
  const second = expectOk(await as(gateway, further).single()).job_id;
  await sql(`update team_key_days set day = day - 1 where key_id = $1`, [keyId]);
  expectOk(await refund(second));

  expect([before, refunded, await sums(team, keyId)]).toEqual([
    [1, 0],
    [0, 0],
    [-1, 0],
  ]);
});

test.each(['daily', 'weekly', 'monthly'] as const)(
  'the use of a key with the reset "%s" counts from 00:00 UTC of its first day, and that of a key without a reset always (spec 25.4)',
  async (limit_reset) => {
    const team = await given.team({ credits: 50 });
    const { keyId, team: further } = await keys.given(team, { credit_limit: 1, limit_reset });
    expectOk(await as(gateway, further).single());
    const first = { daily: 'day', weekly: 'week', monthly: 'month' }[limit_reset];
    const move = (days: number) =>
      sql(
        `update team_key_days set day = date_trunc('${first}', now() at time zone 'utc')::date + $2::int where key_id = $1`,
        [keyId, days],
      );

    await move(0);
    const sinceFirstDay = [await sums(team, keyId), (await create(further)).status];
    await move(-1);
    const before = [await sums(team, keyId), (await create(further)).status];
    expectOk(await keys.change(team, keyId, { limit_reset: null }));
    const always = [await sums(team, keyId), (await create(further)).status];

    expect([sinceFirstDay, before, always]).toEqual([
      [[1, 0], 403],
      [[0, 0], 200],
      [[1, 1], 403],
    ]);
  },
);

test('open jobs are held whenever they were created, and a raised, lowered or lifted limit holds for the next job (spec 25.4)', async () => {
  const team = await given.team({ credits: 50 });
  const { keyId, team: further } = await keys.given(team, { credit_limit: 0, limit_reset: 'daily' });
  const next = async (credit_limit?: number | null) => {
    if (credit_limit !== undefined) expectOk(await keys.change(team, keyId, { credit_limit }));
    return (await create(further)).status;
  };

  expect([await next(), await next(2), await next()]).toEqual([403, 200, 200]);
  await sql(`update jobs set created_at = created_at - interval '40 days' where key_id = $1`, [keyId]);
  expect([await next(), await next(3), await next(1), await next(null)]).toEqual([403, 200, 403, 200]);

  expect(await sums(team, keyId)).toEqual([0, 4]);
});

test('a job without a known cost holds what its team reserves for one, and is charged in full although that passes the limit of its key (spec 25.4, money 9.3)', async () => {
  const rate = { budget_mode: 'consumption_tokens', tokens_per_credit: 2 };
  const team = await given.team({
    models: ['sim-tokens-7-prompt-tokens-11'],
    credits: 100,
    reserve_credits: 4,
    ...rate,
  });
  const { keyId, team: further } = await keys.given(team, { credit_limit: 9 });
  const job = await given.job(further);
  const held = await sums(team, keyId);

  expectOk(await create(further));
  expect(await create(further)).toMatchObject(reached);
  expectOk(await as(gateway, further).call(job));
  expectOk(await as(gateway, further).call(job));
  expectOk(await as(gateway, further).complete(job));

  expect([held, await sums(team, keyId)]).toEqual([
    [0, 4],
    [18, 4],
  ]);
  expect(await create(further)).toMatchObject(reached);
});

test.each([
  [{ budget_mode: 'consumption_tokens', tokens_per_credit: 30 }, { max_tokens: 100 }, 4],
  [{ budget_mode: 'consumption_usd' }, { max_cost_usd: 0.31 }, 4],
  [{ budget_mode: 'consumption_usd', credits_per_dollar: 2 }, { max_tokens: 100 }, 6],
  [{ budget_mode: 'job_based' }, { max_cost_usd: 5, max_tokens: 100_000_000 }, 1],
])(
  'a job of a team with %j and the budget %j holds %i credits of the limit of its key (money 2.1, money 9.3)',
  async (mode, budget, credits) => {
    const team = await given.team({ credits: 100, reserve_credits: 6, ...mode });
    const { keyId, team: further } = await keys.given(team, { credit_limit: 9 });

    await given.job(further, { budget });

    expect(await sums(team, keyId)).toEqual([0, credits]);
  },
);

test('a job that nobody pays, because its team has no credits, uses nothing of its key (spec 25.4)', async () => {
  const team = await given.team({ credits: 0 });
  const { keyId, team: further } = await keys.given(team, { credit_limit: 1 });

  expectOk(await as(gateway, further).single());
  const free = await sums(team, keyId);
  const job = await given.job(further);
  expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));

  expect([free, await sums(team, keyId)]).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

test('the key of a job may be deleted at the moment at which the job ends: the job is charged, or ends free, as ever (spec 25.5)', async () => {
  const team = await given.team({ credits: 50 });

  for (let round = 0; round < 10; round += 1) {
    const { keyId, team: further } = await keys.given(team, { credit_limit: 5 });
    const job = await given.job(further);
    const [ended, deleted] = await Promise.all([as(gateway, team).complete(job), keys.delete(team, keyId)]);
    expect(expectOk(ended).costs.credit_applied).toBe(true);
    expectOk(deleted);
  }

  const { rows } = await sql('select count(*)::int as rows from team_key_days', []);
  const { rows: kept } = await sql('select count(*)::int as rows from team_key_days join team_keys using (key_id)', []);
  expect(rows).toEqual(kept);
  expect((await as(gateway, team).credits()).credits_remaining).toBe(40);
});

test('a job holds the price of its type, and what is charged by its policy is used, also for a job that failed (spec 25.4, spec 21.3, money 9.3)', async () => {
  const team = await given.team({ credits: 100, billing_policy: 'answered' });
  const { keyId, team: further } = await keys.given(team, { credit_limit: 10 });
  const price = (job_type: string, credits: number) =>
    admin.put(`/api/teams/${team.teamId}/job-types/${job_type}`, { credits });
  expectOk(await price('dear', 6));
  expectOk(await price('gratis', 0));
  const own = as(gateway, further);
  const createOf = (job_type: string) => own.post('/api/jobs/create', { team_id: team.teamId, job_type });

  const dear = expectOk(await createOf('dear')).job_id;
  expect(await createOf('dear')).toMatchObject(reached);
  const held = await sums(team, keyId);
  expectOk(await price('dear', 1));
  expectOk(await own.call(dear));
  expectOk(await own.complete(dear, 'failed'));
  const used = await sums(team, keyId);
  expectOk(await keys.change(team, keyId, { credit_limit: 6 }));
  expectOk(await createOf('gratis'));
  expect(await createOf('dear')).toMatchObject(reached);

  expect([held, used, await sums(team, keyId)]).toEqual([
    [0, 6],
    [6, 0],
    [6, 0],
  ]);
});

test.each<[string, Record<string, unknown>, object | undefined, number]>([
  [
    'by its cap of USD, rounded up',
    { budget_mode: 'consumption_usd', credits_per_dollar: 10 },
    { max_cost_usd: 0.41 },
    5,
  ],
  ['by its cap of USD at the default rate', { budget_mode: 'consumption_usd' }, { max_cost_usd: 0.3 }, 3],
  [
    'by its cap of tokens, rounded up',
    { budget_mode: 'consumption_tokens', tokens_per_credit: 3 },
    { max_tokens: 10 },
    4,
  ],
  [
    'by the cap in force that its team has as a default',
    { budget_mode: 'consumption_tokens', tokens_per_credit: 3, job_budget_defaults: { max_tokens: 18 } },
    undefined,
    6,
  ],
  ['by its price where the team is billed by the job', { reserve_credits: 7 }, { max_cost_usd: 4 }, 1],
  [
    'by the reservation of the team where the budget caps something else',
    { budget_mode: 'consumption_usd', reserve_credits: 7 },
    { max_tokens: 10 },
    7,
  ],
  [
    'at most the largest balance',
    { budget_mode: 'consumption_usd', credits_per_dollar: 1_000_000 },
    { max_cost_usd: 1_000_000 },
    2_147_483_647,
  ],
])('a job of a further key holds %s (spec 25.4, money 9.3)', async (_, settings, budget, held) => {
  const team = await given.team(settings);
  const { keyId, team: further } = await keys.given(team);
  const { keyId: limited, team: full } = await keys.given(team, { credit_limit: Math.min(held, 1_000_000_000) - 1 });
  const create = (by: GivenTeam) =>
    as(gateway, by).post('/api/jobs/create', { team_id: team.teamId, job_type: 'report', ...(budget && { budget }) });

  expectOk(await create(further));

  expect(await sums(team, keyId)).toEqual([0, held]);
  expect(await create(full)).toMatchObject(reached);
  if (held > 1_000_000_000) return;
  expectOk(await keys.change(team, limited, { credit_limit: held }));
  expectOk(await create(full));
});
