import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello, unique } from '../../support/given.ts';
import type { Answer, Json } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';
import { chatWith } from '../openai/chat.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const sentTo = (model: string) => gateway.current.simulator.requestsFor({ model }).map(({ body }) => body as Json);
const query = (sql: string, values: unknown[]) => gateway.current.deps.database.pool.query(sql, values);

/** The tokens that the prompt of a call reserves: bytes divided by 3, rounded up, and 8 for its message. */
const promptOf = (fields: object) => Math.ceil(Buffer.byteLength(JSON.stringify(fields)) / 3) + 8;
const plain = { messages: hello, temperature: 0.7 };
const prompt = promptOf(plain);

interface Situation {
  team: GivenTeam;
  job: string;
  model: string;
}

/** A job with a budget, of a team with one model of its own. */
async function givenBudget(budget: object, word = 'sim-ok', fields: object = {}): Promise<Situation> {
  const model = `${word}-as-${unique('model')}`;
  const team = await given.team({ models: [model], rpm_limit: 1_000, tpm_limit: 100_000_000, ...fields });
  return { team, model, job: await given.job(team, { budget }) };
}

/** Prices of the members of the team's group, in USD per million tokens. Null: none. */
const setPrices = (team: GivenTeam, members: [model: string, input: number | null, output: number | null][]) =>
  given.admin('put', `/api/model-groups/${team.modelGroup}`, {
    models: members.map(([model_name, input_price_per_million, output_price_per_million], priority) => ({
      model_name,
      priority,
      input_price_per_million,
      output_price_per_million,
    })),
  });

const budgetOf = async ({ team, job }: Pick<Situation, 'team' | 'job'>) =>
  expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).budget;
const shown = ({ status, body }: Answer) => [status, body];

test('calls beyond max_calls are 402, where failed ones count, and no call is left of them (spec 23.7, spec 23.9)', async () => {
  const situation = await givenBudget({ max_calls: 2 }, 'sim-fail');
  const { team, job } = situation;

  const statuses = [(await as(gateway, team).call(job)).status, (await as(gateway, team).call(job)).status];
  const refused = [await as(gateway, team).call(job), await as(gateway, team).stream(job)];

  expect(statuses).toEqual([500, 500]);
  for (const answer of refused) {
    expect(shown(answer)).toEqual([
      402,
      {
        detail: 'Job budget reached: max_calls',
        code: 'job_budget_reached',
        cap: 'max_calls',
        limit: 2,
        spent: 2,
        held: 0,
        needed: 1,
      },
    ]);
    expect(answer.headers.get('retry-after')).toBeNull();
    expect(answer.headers.get('x-call-id')).toBeNull();
  }
  expect(await budgetOf(situation)).toMatchObject({
    spent: { calls: 2 },
    held: { calls: 0 },
    remaining: { calls: 0 },
    reached: ['max_calls'],
  });
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls`)).total).toBe(2);
});

test('calls under way are spent for max_calls, and hold tokens for max_tokens, which is a 429 (spec 23.7, spec 23.9)', async () => {
  const byCalls = await givenBudget({ max_calls: 1 }, 'sim-hang');
  const byTokens = await givenBudget({ max_tokens: 2 * (prompt + 100) }, 'sim-hang');
  const first = [byCalls, byTokens].map(({ team, job }) => as(gateway, team).call(job, { max_tokens: 100 }));
  await until(() => sentTo(byCalls.model).length + sentTo(byTokens.model).length === 2);

  const reached = await as(gateway, byCalls.team).call(byCalls.job);
  const held = await as(gateway, byTokens.team).call(byTokens.job, { max_tokens: 200 });

  expect(shown(reached)).toMatchObject([402, { cap: 'max_calls', limit: 1, spent: 1, held: 0, needed: 1 }]);
  const reserved = promptOf({ ...plain, max_tokens: 100 }) + 100;
  const needed = promptOf({ ...plain, max_tokens: 200 }) + 200;
  expect(shown(held)).toEqual([
    429,
    {
      detail: 'Job budget is held by calls under way: max_tokens',
      code: 'job_budget_held',
      ...{ cap: 'max_tokens', limit: 2 * (prompt + 100), spent: 0, held: reserved, needed },
    },
  ]);
  expect(held.headers.get('retry-after')).toBe('1');
  expect(await budgetOf(byTokens)).toMatchObject({
    held: { tokens: reserved, calls: 0, cost_usd: 0 },
    remaining: { tokens: 2 * (prompt + 100) - reserved },
    reached: [],
  });
  for (const { team, job } of [byCalls, byTokens]) await as(gateway, team).post(`/api/jobs/${job}/cancel`);
  await Promise.all(first);
});

test.each([
  ['the limit of the request', { max_tokens: 40 }, {}, 40],
  ['default_output_tokens of the budget, without one', {}, { default_output_tokens: 70 }, 70],
  ['16,384, without either', {}, {}, 16_384],
])('a call whose tokens are capped goes upstream with %s (spec 23.6)', async (_, fields, budget, expected) => {
  const { team, job, model } = await givenBudget({ max_tokens: 100_000, ...budget });

  expectOk(await as(gateway, team).call(job, fields));

  expect(sentTo(model)).toEqual([expect.objectContaining({ max_tokens: expected })]);
});

test('the answer of a call is lowered to what fits, but to no less than 1,024 tokens (spec 23.6)', async () => {
  const lowered = await givenBudget({ max_tokens: prompt + 1_024 });
  const refused = await givenBudget({ max_tokens: prompt + 1_023 });
  const short = await givenBudget({ max_tokens: prompt + 1_023, default_output_tokens: 1_000 });

  const answers = await Promise.all([lowered, refused, short].map(({ team, job }) => as(gateway, team).call(job)));

  expect(answers.map(({ status }) => status)).toEqual([200, 402, 200]);
  expect(answers[1]!.body).toMatchObject({ cap: 'max_tokens', needed: prompt + 1_024 });
  expect([sentTo(lowered.model)[0].max_tokens, sentTo(short.model)[0].max_tokens]).toEqual([1_024, 1_000]);
});

test('the answer of a call is bounded by the least max_output_tokens of its candidates, and by that of its group (spec 23.6)', async () => {
  const model = `sim-ok-as-${unique('listed')}`;
  const team = await given.team({ models: [model, 'gpt-4o'] });
  const job = await given.job(team, { budget: { max_tokens: 1_000_000, default_output_tokens: 20_000 } });
  expectOk(await as(gateway, team).call(job));
  await given.admin('put', `/api/model-groups/${team.modelGroup}`, { max_output_tokens: 300 });

  expectOk(await as(gateway, team).call(job));

  expect(sentTo(model).map(({ max_tokens }) => max_tokens)).toEqual([16_384, 300]);
});

test('a chat completion reserves the larger of its two limits, and neither is renamed (spec 23.6)', async () => {
  const { team, job, model } = await givenBudget({ max_tokens: 100_000 });
  const limits = { max_tokens: 30, max_completion_tokens: 50 };
  const chat = chatWith(gateway, team);

  const answer = await chat(limits, { 'x-job-id': job });
  await chat({ max_completion_tokens: 60 }, { 'x-job-id': job });

  const reserved = promptOf({ messages: hello, ...limits }) + 50;
  expect(answer.headers.get('x-job-remaining')).toBe(`tokens=${100_000 - reserved}`);
  expect(sentTo(model).map(({ max_tokens, max_completion_tokens }) => [max_tokens, max_completion_tokens])).toEqual([
    [30, 50],
    [undefined, 60],
  ]);
});

test('USD are reserved by the dearest candidate, and the true cost counts once the call has ended (spec 23.6, spec 23.7)', async () => {
  const { team, job, model } = await givenBudget({ max_cost_usd: 1 }, 'sim-cost-2000');
  const other = `sim-ok-as-${unique('dear')}`;
  await setPrices(team, [
    [model, 1, 2],
    [other, 10, 30],
  ]);

  const answer = await as(gateway, team).call(job, { max_tokens: 1_000 });

  const tokens = promptOf({ ...plain, max_tokens: 1_000 });
  const reserved = (tokens * 10 + 1_000 * 30) / 1_000_000;
  expect(answer.headers.get('x-job-remaining')).toBe(`usd=${Number((1 - reserved).toFixed(9))}`);
  expect(await budgetOf({ team, job })).toMatchObject({
    spent: { cost_usd: 0.002, calls: 1 },
    held: { cost_usd: 0 },
    remaining: { cost_usd: 0.998 },
    assumed: { cost_usd: 0, tokens: 0 },
  });
});

test('a cap of USD leaves out candidates without a price, and 0 is a price (spec 23.6)', async () => {
  const { team, job, model } = await givenBudget({ max_cost_usd: 1 }, 'sim-fail');
  const [unpriced, free] = [`sim-ok-as-${unique('unpriced')}`, `sim-ok-as-${unique('free')}`];
  await setPrices(team, [
    [unpriced, null, null],
    [model, 1, null],
    [free, 0, 0],
  ]);

  expectOk(await as(gateway, team).call(job));

  expect([sentTo(unpriced), sentTo(model), sentTo(free)].map((sent) => sent.length)).toEqual([0, 1, 1]);
});

test('a cap of USD refuses a call without a candidate that has a price, and one without such a cap is made (spec 23.6)', async () => {
  const { team, job } = await givenBudget({ max_cost_usd: 1 });
  const uncapped = await given.job(team, { budget: { max_tokens: 100_000 } });
  const { call, stream, single } = as(gateway, team);

  const refused = [await call(job), await stream(job), await single({ budget: { max_cost_usd: 5 } })];
  const chat = await chatWith(gateway, team)({}, { 'x-job-id': job });

  for (const answer of refused)
    expect(shown(answer)).toEqual([
      403,
      { detail: `No price known for model group '${team.modelGroup}'`, code: 'price_unknown' },
    ]);
  expect([chat.status, chat.body.error.code]).toEqual([403, 'price_unknown']);
  expectOk(await call(uncapped));
});

test('a free model may be called where the cap is 0 USD, and no other (spec 23.1)', async () => {
  const { team, job, model } = await givenBudget({ max_cost_usd: 0 }, 'sim-no-cost');
  await setPrices(team, [[model, 0, 0]]);
  expectOk(await as(gateway, team).call(job));
  await setPrices(team, [[model, 0, 1]]);

  const refused = await as(gateway, team).call(job, { max_tokens: 5 });

  expect(shown(refused)).toMatchObject([402, { cap: 'max_cost_usd', limit: 0, spent: 0, needed: 0.000005 }]);
});

test('a 402 goes before a 429, and the caps have an order (spec 23.9)', async () => {
  const { team, job, model } = await givenBudget({ max_cost_usd: 0.01, max_tokens: 5_000, max_calls: 1 }, 'sim-hang');
  await setPrices(team, [[model, 1, 1]]);
  const first = as(gateway, team).call(job, { max_tokens: 4_900 });
  await until(() => sentTo(model).length === 1);
  const { call } = as(gateway, team);

  const byCalls = await call(job, { max_tokens: 500 });
  await query('update job_budgets set max_calls = null where job_id = $1', [job]);
  const byTokens = await call(job, { max_tokens: 500 });
  await query('update job_budgets set max_cost_usd = 0.005 where job_id = $1', [job]);
  const byCost = await call(job, { max_tokens: 500 });

  expect([byCalls, byTokens, byCost].map(({ status, body }) => [status, body.cap])).toEqual([
    [402, 'max_calls'],
    [429, 'max_tokens'],
    [429, 'max_cost_usd'],
  ]);
  await as(gateway, team).post(`/api/jobs/${job}/cancel`);
  await first;
});

test('a call from the deadline of its job on is 409, and of a job that a chat completion names 400 (spec 23.9)', async () => {
  const { team, job } = await givenBudget({ deadline_seconds: 60 });
  await query("update job_budgets set deadline_at = now() - interval '1 ms' where job_id = $1", [job]);
  const { call, stream } = as(gateway, team);

  const refused = [await call(job), await stream(job)];
  const chat = await chatWith(gateway, team)({}, { 'x-job-id': job });

  for (const answer of refused)
    expect(shown(answer)).toEqual([409, { detail: 'Job deadline exceeded', code: 'job_deadline_exceeded' }]);
  expect([chat.status, chat.body.error]).toMatchObject([
    400,
    { code: 'job_finished', message: 'Job deadline exceeded' },
  ]);
});

test('a call of a task whose job is past its deadline opens the next job, and its repetition finds it there (spec 23.9)', async () => {
  const { team } = await givenBudget({}, 'sim-ok', { job_budget_defaults: { deadline_seconds: 60 } });
  const chat = chatWith(gateway, team);
  const task = { 'x-external-task-id': unique('task') };
  const first = await chat({}, task);
  await query('update job_budgets set deadline_at = now() where job_id = $1', [first.headers.get('x-job-id')]);
  const key = { 'idempotency-key': unique('key') };

  const second = await chat({}, { ...task, ...key });
  await query(
    'update idempotency_keys set status = null, headers = null, answer_sealed = null, locked_until = null',
    [],
  );
  const again = await chat({}, { ...task, ...key });
  const third = await chat({}, task);

  expect([first, second, again, third].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const jobs = [first, second, again, third].map(({ headers }) => headers.get('x-job-id'));
  expect(jobs[1]).not.toBe(jobs[0]);
  expect(jobs.slice(2)).toEqual([jobs[1], jobs[1]]);
  expect(again.headers.get('x-call-id')).toBe(second.headers.get('x-call-id'));
});

test('none of the refusals of a budget is stored under an Idempotency-Key (spec 23.9)', async () => {
  const { team, job } = await givenBudget({ max_calls: 1, deadline_seconds: 60 });
  const { call } = as(gateway, team);
  expectOk(await call(job));
  const key = { 'idempotency-key': unique('key') };
  const chat = () => chatWith(gateway, team)({}, { 'x-job-id': job, ...key });

  const reached = [await call(job, {}, key), await chat()];
  await query("update job_budgets set max_calls = null, deadline_at = now() - interval '1 s' where job_id = $1", [job]);
  const late = [await call(job, {}, key), await chat()];
  await query("update job_budgets set deadline_at = now() + interval '1 h' where job_id = $1", [job]);
  const made = [await call(job, {}, key), await chat()];

  expect([...reached, ...late, ...made].map(({ status }) => status)).toEqual([402, 402, 409, 400, 200, 200]);
});

test('under /v1 a cap that is reached is insufficient_quota and not to be repeated, without figures (spec 23.9)', async () => {
  const { team, job } = await givenBudget({ max_calls: 1 });
  const chat = chatWith(gateway, team);
  await chat({}, { 'x-job-id': job });

  const refused = await chat({ stream: true }, { 'x-job-id': job });

  expect(shown(refused)).toEqual([
    402,
    {
      error: {
        message: 'Job budget reached: max_calls',
        type: 'insufficient_quota',
        param: null,
        code: 'job_budget_reached',
      },
    },
  ]);
  expect(refused.headers.get('x-should-retry')).toBe('false');
});

test('under /v1 a cap that is held is a rate limit error with Retry-After (spec 23.9)', async () => {
  const { team, job, model } = await givenBudget({ max_tokens: 200 }, 'sim-hang');
  const chat = chatWith(gateway, team);
  const first = chat({ max_tokens: 100 }, { 'x-job-id': job });
  await until(() => sentTo(model).length === 1);

  const held = await chat({ max_tokens: 100 }, { 'x-job-id': job });

  expect([held.status, held.body.error, held.headers.get('retry-after')]).toMatchObject([
    429,
    { type: 'rate_limit_error', code: 'job_budget_held' },
    '1',
  ]);
  await as(gateway, team).post(`/api/jobs/${job}/cancel`);
  await first;
});

test('a create-and-call that does not fit into its own budget makes no job (spec 23.9)', async () => {
  const { team } = await givenBudget({});
  const { single, singleStream, get } = as(gateway, team);

  const refused = [await single({ budget: { max_tokens: 20 } }), await singleStream({ budget: { max_tokens: 20 } })];

  for (const { status, body } of refused) expect([status, body.cap, body.spent]).toEqual([402, 'max_tokens', 0]);
  expect(expectOk(await get('/api/jobs')).total).toBe(1);
});

test('answers of calls have the deadline of the job and what remains, streamed and failed ones too, and refusals of others have not (spec 23.4)', async () => {
  const budget = { max_cost_usd: 1, max_tokens: 100_000, max_calls: 7, deadline_seconds: 600 };
  const { team, job, model } = await givenBudget(budget);
  await setPrices(team, [[model, 1, 2]]);
  const failing = await givenBudget({ max_calls: 3 }, 'sim-fail');
  const { call, stream, single, singleStream } = as(gateway, team);
  const chat = chatWith(gateway, team);
  const reserved = promptOf({ ...plain, max_tokens: 50 }) + 50;
  const { deadline_at } = await budgetOf({ team, job });

  const first = await call(job, { max_tokens: 50 });
  const others = [
    await stream(job),
    await single({ budget }),
    await singleStream({ budget }),
    await chat({}, { 'x-job-id': job }),
    await chat({ stream: true }, { 'x-job-id': job }),
  ];
  const failed = await as(gateway, failing.team).call(failing.job);
  const without = await single();

  expect(first.headers.get('x-job-deadline')).toBe(deadline_at);
  expect(first.headers.get('x-job-remaining')).toMatch(
    new RegExp(`^calls=6, tokens=${100_000 - reserved}, usd=0\\.999\\d+$`),
  );
  for (const { status, headers } of others) {
    expect(status).toBe(200);
    expect(headers.get('x-job-deadline')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(headers.get('x-job-remaining')).toMatch(/^calls=[3-6], tokens=\d+, usd=0\.\d+$/);
  }
  expect([failed.status, failed.headers.get('x-job-remaining'), failed.headers.get('x-job-deadline')]).toEqual([
    500,
    'calls=2',
    null,
  ]);
  expect([without.headers.get('x-job-remaining'), without.headers.get('x-job-deadline')]).toEqual([null, null]);
});
