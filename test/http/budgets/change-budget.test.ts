import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { besideUncommitted } from '../../support/locks.ts';
import { readAudit } from '../../support/read-audit.ts';
import { sendRequest } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';
import { closeReceivers, startReceiver } from '../../webhook-delivery/receiver.ts';

const gateway = gatewayForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
const given = givenIn(gateway);
afterEach(closeReceivers);

const change = (team: GivenTeam, job: string, fields: object) =>
  as(gateway, team).patch(`/api/jobs/${job}/budget`, fields);
const changeAsAdmin = (job: string, fields: object) =>
  sendRequest(gateway.current.url, 'patch', `/api/jobs/${job}/budget`, {
    key: gateway.current.masterKey,
    body: fields,
  });
const budgetOf = async (team: GivenTeam, job: string) =>
  expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).budget;
const inSeconds = (moment: string) => Math.round((new Date(moment).getTime() - Date.now()) / 1_000);

test('a change of a budget keeps what it does not name, and null lifts a cap (spec 23.5)', async () => {
  const team = await given.team();
  const job = await given.job(team, {
    budget: { max_cost_usd: 1, max_tokens: 5_000, max_calls: 2, default_output_tokens: 9 },
  });

  const answer = expectOk(await change(team, job, { max_cost_usd: 0.5, max_calls: null, deadline_grace_seconds: 3 }));

  expect(answer).toEqual({ job_id: job, budget: await budgetOf(team, job) });
  expect(answer.budget).toMatchObject({
    max_cost_usd: 0.5,
    max_tokens: 5_000,
    max_calls: null,
    deadline_at: null,
    deadline_grace_seconds: 3,
    default_output_tokens: 9,
    remaining: { cost_usd: 0.5, tokens: 5_000, calls: null },
  });
  expect(await readAudit(gateway.current, job)).toEqual([]);
});

test('a deadline counts from its change, and null lifts it (spec 23.5)', async () => {
  const team = await given.team();
  const job = await given.job(team, { budget: { deadline_seconds: 600 } });
  const past =
    "update job_budgets set deadline_at = now() - interval '1 s', deadline_grace_seconds = $2 where job_id = $1";
  await gateway.current.deps.database.pool.query(past, [job, 100]);

  const later = expectOk(await change(team, job, { deadline_seconds: 60 })).budget;
  const call = await as(gateway, team).call(job);
  const kept = expectOk(await change(team, job, { max_calls: 7 })).budget;
  const lifted = expectOk(await change(team, job, { deadline_seconds: null })).budget;

  expect([later.deadline_seconds, inSeconds(later.deadline_at)]).toEqual([60, 60]);
  expect(call.status).toBe(200);
  expect(kept.deadline_at).toBe(later.deadline_at);
  expect([lifted.deadline_seconds, lifted.deadline_at]).toEqual([null, null]);
});

test('a deadline that is moved to the next second ends the job, whose budget can no longer be changed (spec 23.5, spec 23.11)', async () => {
  const team = await given.team();
  const job = await given.job(team, { budget: { deadline_seconds: 600 } });

  expectOk(await change(team, job, { deadline_seconds: 1 }));
  await until(async () => expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).status === 'failed');

  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).ended_by).toBe('deadline');
  expect((await change(team, job, { deadline_seconds: 60 })).body.detail).toBe('Job is already failed');
});

test('a deadline that is moved away does not end the job at its first moment (spec 23.5, spec 23.11)', async () => {
  const team = await given.team();
  const job = await given.job(team, { budget: { deadline_seconds: 1 } });
  const started = Date.now();

  expectOk(await change(team, job, { deadline_seconds: 600 }));
  await until(() => Date.now() - started > 2_000);

  expect((await as(gateway, team).call(job)).status).toBe(200);
});

test('a job without a budget gets one, in which what it has spent counts (spec 23.5)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  expectOk(await as(gateway, team).call(job));

  const { budget } = expectOk(await change(team, job, { max_calls: 1 }));

  expect(budget).toMatchObject({ max_calls: 1, max_tokens: null, spent: { calls: 1 }, remaining: { calls: 0 } });
  expect(budget.spent.tokens).toBeGreaterThan(0);
  expect((await as(gateway, team).call(job)).body).toMatchObject({ code: 'job_budget_reached', spent: 1 });
});

test('a cap below what is spent is allowed, and one that is raised lets calls through again (spec 23.5)', async () => {
  const team = await given.team();
  const job = await given.job(team, { budget: { max_calls: 5 } });
  await as(gateway, team).call(job);
  await as(gateway, team).call(job);

  const lowered = expectOk(await change(team, job, { max_calls: 1 })).budget;
  const refused = await as(gateway, team).call(job);
  expectOk(await change(team, job, { max_calls: 3 }));

  expect(lowered.remaining.calls).toBe(0);
  expect([refused.status, refused.body.limit, refused.body.spent]).toEqual([402, 1, 2]);
  expect((await as(gateway, team).call(job)).status).toBe(200);
});

test('a team changes up to its maxima, where null is the maximum, and an admin beyond them, which is audited (spec 23.5)', async () => {
  const team = await given.team({ job_budget_maxima: { max_calls: 10, deadline_seconds: 100 } });
  const job = await given.job(team, { budget: { max_calls: 2, max_tokens: 50 } });

  const above = await change(team, job, { max_calls: 11, max_tokens: 90, deadline_seconds: 101 });
  const unchanged = await budgetOf(team, job);
  const atMost = expectOk(await change(team, job, { max_calls: null, deadline_seconds: null })).budget;
  const beyond = expectOk(await changeAsAdmin(job, { max_calls: 11 })).budget;
  const lifted = expectOk(await changeAsAdmin(job, { deadline_seconds: null })).budget;
  const other = expectOk(await change(team, job, { max_tokens: 70 })).budget;

  expect([above.status, above.body.detail]).toEqual([
    422,
    [
      { loc: ['body', 'max_calls'], msg: 'Input should be less than or equal to 10', type: 'less_than_equal' },
      { loc: ['body', 'deadline_seconds'], msg: 'Input should be less than or equal to 100', type: 'less_than_equal' },
    ],
  ]);
  expect(unchanged).toMatchObject({ max_calls: 2, max_tokens: 50 });
  expect([atMost.max_calls, atMost.deadline_seconds, inSeconds(atMost.deadline_at)]).toEqual([10, 100, 100]);
  expect([beyond.max_calls, beyond.deadline_seconds]).toEqual([11, 100]);
  expect(lifted.deadline_at).toBeNull();
  expect([other.max_calls, other.max_tokens]).toEqual([11, 70]);
  expect(await readAudit(gateway.current, job)).toMatchObject([
    { action: 'changed_job_budget', resource_type: 'job', details: { deadline_seconds: null } },
    { action: 'changed_job_budget', resource_type: 'job', details: { max_calls: 11 } },
  ]);
});

test('the budget of a job that is unknown, of another team or ended cannot be changed (spec 23.5)', async () => {
  const [team, other] = [await given.team(), await given.team()];
  const [open, ended] = [await given.job(team), await given.job(team, { budget: {} })];
  expectOk(await as(gateway, team).complete(ended));

  const answers = [
    await change(team, '3f2b8c1e-5d47-4a9b-8e60-7c1d9f24ab35', {}),
    await change(other, open, {}),
    await change(team, ended, { max_calls: 1 }),
    await changeAsAdmin(ended, { max_calls: 1 }),
    await change(team, open, { max_call: 1 }),
  ];

  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [404, 'job_not_found'],
    [403, 'job_of_another_team'],
    [409, 'job_finished'],
    [409, 'job_finished'],
    [422, 'request_invalid'],
  ]);
  expect(answers[2]!.body.detail).toBe('Job is already completed');
  expect(answers[4]!.body.detail[0]).toMatchObject({ loc: ['body', 'max_call'], type: 'extra_forbidden' });
});

test('a change that waits for the end of its job is refused (spec 23.5)', async () => {
  const team = await given.team();
  const job = await given.job(team, { budget: { max_calls: 2 } });
  const end = {
    sql: "update jobs set status = 'cancelled', completed_at = now() where job_id = $1",
    values: [job],
    waiting: 1,
  };

  // Only the update of a key, a deletion or a lock for update makes a change wait, as the end of a job has one.
  const changed = await besideUncommitted(
    gateway.current,
    {
      ...end,
      sql: `with locked as (select from jobs where job_id = $1 for update) ${end.sql} and exists (select from locked)`,
    },
    () => change(team, job, { max_calls: 3 }),
  );

  expect([changed.status, changed.body.detail]).toEqual([409, 'Job is already cancelled']);
});

test('each cap that a 402 names is reached, and published once until the budget is changed (spec 23.10)', async () => {
  const receiver = await startReceiver();
  const team = await given.team();
  expectOk(
    await as(gateway, team).post('/api/webhooks/register', {
      team_id: team.teamId,
      webhook_url: `${receiver.url}/hook`,
      events: ['job.budget_reached'],
    }),
  );
  const order = { external_task_id: 'order-1', user_id: 'user-7', metadata: { cart: 1 } };
  const job = await given.job(team, { ...order, budget: { max_calls: 1 } });
  const { call, stream } = as(gateway, team);
  await call(job);
  const events = () => receiver.requests.map(({ body }) => JSON.parse(body));

  await Promise.all([call(job), call(job), stream(job)]);
  await call(job);
  const first = await budgetOf(team, job);
  const changed = expectOk(await change(team, job, { max_tokens: 10 })).budget;
  await call(job);
  const second = await budgetOf(team, job);
  await change(team, job, { max_tokens: null });
  await call(job);
  await until(() => events().length >= 3);

  expect([first.reached, changed.reached, second.reached]).toEqual([['max_calls'], [], ['max_tokens']]);
  expect(
    events()
      .map(({ data }) => data.cap)
      .sort(),
  ).toEqual(['max_calls', 'max_calls', 'max_tokens']);
  expect(events().find(({ data }) => data.cap === 'max_calls')).toMatchObject({
    event: 'job.budget_reached',
    job_id: job,
    team_id: team.teamId,
    data: { job_type: 'report', ...order, cap: 'max_calls', limit: 1, spent: 1, held: 0, needed: 1 },
  });
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls`)).total).toBe(1);
});

test('a call of a task that a cap refuses is published too, and a 429 is not (spec 23.10)', async () => {
  const team = await given.team({ models: ['sim-hang'], job_budget_defaults: { max_tokens: 200 } });
  const receiver = await startReceiver();
  const body = { team_id: team.teamId, webhook_url: `${receiver.url}/hook`, events: ['job.budget_reached'] };
  expectOk(await as(gateway, team).post('/api/webhooks/register', body));
  const chat = (max_tokens: number) =>
    as(gateway, team).post(
      '/v1/chat/completions',
      { model: team.modelGroup, messages: [{ role: 'user', content: 'a' }], max_tokens },
      { 'x-external-task-id': 'task-1' },
    );
  const first = chat(100);
  await until(async () => expectOk(await as(gateway, team).get('/api/jobs')).total === 1);

  const [held, reached] = [await chat(100), await chat(400)];
  await until(() => receiver.requests.length > 0);

  expect([held.status, reached.status]).toEqual([429, 402]);
  expect(receiver.requests.map(({ body: sent }) => JSON.parse(sent).data)).toMatchObject([
    { cap: 'max_tokens', limit: 200, external_task_id: 'task-1' },
  ]);
  const [{ job_id }] = expectOk(await as(gateway, team).get('/api/jobs')).jobs;
  await as(gateway, team).post(`/api/jobs/${job_id}/cancel`);
  await first;
});

test('changes and calls at the same time end with the last change, and no call beyond a cap that held (spec 23.5)', async () => {
  const team = await given.team({ rpm_limit: 1_000, tpm_limit: 100_000_000 });
  const job = await given.job(team, { budget: { max_calls: 4 } });

  const [calls] = await Promise.all([
    Promise.all(Array.from({ length: 12 }, () => as(gateway, team).call(job))),
    Promise.all([4, 6, 5, 6].map((max_calls) => change(team, job, { max_calls }))),
  ]);

  const made = calls.filter(({ status }) => status === 200).length;
  expect(made).toBeGreaterThanOrEqual(4);
  expect(made).toBeLessThanOrEqual(6);
  expect((await budgetOf(team, job)).spent.calls).toBe(made);
});
