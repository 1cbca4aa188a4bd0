import { deleteStoredAnswers } from '../../support/delete-stored-answers.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import type { Json } from '../../support/send-request.ts';
import { chatWith } from '../openai/chat.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const create = (team: GivenTeam, fields: object = {}) =>
  as(gateway, team).post('/api/jobs/create', { team_id: team.teamId, job_type: 'report', ...fields });
const read = async (team: GivenTeam, jobId: string) => expectOk(await as(gateway, team).get(`/api/jobs/${jobId}`));

const nothing = { cost_usd: 0, tokens: 0, calls: 0 };
const uncapped = {
  max_cost_usd: null,
  max_tokens: null,
  max_calls: null,
  deadline_seconds: null,
  deadline_grace_seconds: 0,
  default_output_tokens: 16_384,
};

/** The price list of a job type, as its rows are in the database. */
const givenRow = (teamId: string | null, jobType: string, budget: object) =>
  gateway.current.deps.database.pool.query(
    'insert into job_type_prices (team_id, job_type, budget) values ($1, $2, $3)',
    [teamId, jobType, budget],
  );

test('a budget of a request is in the answers that create and read the job and its costs, with what is spent, held and left (spec 23.1, spec 23.3)', async () => {
  const team = await given.team();
  const budget = {
    max_cost_usd: 0.42,
    max_tokens: 51_200,
    max_calls: 7,
    deadline_seconds: 60,
    deadline_grace_seconds: 5,
    default_output_tokens: 100,
  };

  const created = expectOk(await create(team, { budget }));

  const job = await read(team, created.job_id);
  const costs = expectOk(await as(gateway, team).get(`/api/jobs/${created.job_id}/costs`));
  expect(created.budget).toEqual({
    ...budget,
    deadline_at: new Date(new Date(created.created_at).getTime() + 60_000).toISOString(),
    spent: nothing,
    held: nothing,
    remaining: { cost_usd: 0.42, tokens: 51_200, calls: 7 },
    assumed: { cost_usd: 0, tokens: 0 },
    reached: [],
  });
  expect(job.budget).toEqual(created.budget);
  expect(costs.budget).toEqual(created.budget);
});

test.each([{}, { budget: null }])(
  'a job whose request has %j has no budget where nothing else caps it (spec 23.3)',
  async (fields) => {
    const team = await given.team({ job_budget_defaults: { default_output_tokens: 5, deadline_grace_seconds: 3 } });

    const created = expectOk(await create(team, fields));

    expect(created).not.toHaveProperty('budget');
    expect(await read(team, created.job_id)).not.toHaveProperty('budget');
    expect(expectOk(await as(gateway, team).get(`/api/jobs/${created.job_id}/costs`))).not.toHaveProperty('budget');
  },
);

test('an empty budget of a request is a budget without caps (spec 23.3)', async () => {
  const team = await given.team();

  const { budget } = expectOk(await create(team, { budget: {} }));

  expect(budget).toMatchObject({
    ...uncapped,
    deadline_at: null,
    remaining: { cost_usd: null, tokens: null, calls: null },
  });
});

const merges: [string, Json, Json, Json][] = [
  ['the default', {}, undefined, { max_calls: 5, max_tokens: 1_000, default_output_tokens: 50 }],
  ['what the request gives', {}, { max_calls: 4 }, { max_calls: 4, max_tokens: 1_000, default_output_tokens: 50 }],
  ['no cap, where the request gives null', {}, { max_calls: null }, { max_calls: null, max_tokens: 1_000 }],
  ['the maximum, where the request gives null', { max_calls: 9 }, { max_calls: null }, { max_calls: 9 }],
  ['the maximum, where nothing gives a cap', { max_cost_usd: 2.5 }, undefined, { max_cost_usd: 2.5, max_calls: 5 }],
  ['the maximum, where the default is above it', { max_calls: 3 }, undefined, { max_calls: 3 }],
  ['the maximum, where the request gives as much', { max_calls: 3 }, { max_calls: 3 }, { max_calls: 3 }],
  ['16,384, where the request gives null', {}, { default_output_tokens: null }, { default_output_tokens: 16_384 }],
];

test.each(merges)('a field of a budget is %s (spec 23.2)', async (_, job_budget_maxima, budget, expected) => {
  const job_budget_defaults = { max_calls: 5, max_tokens: 1_000, default_output_tokens: 50 };
  const team = await given.team({ job_budget_defaults, job_budget_maxima });

  const created = expectOk(await create(team, budget && { budget }));

  expect(created.budget).toMatchObject(expected);
});

test('the row of a job type goes before the default, the row of the team before that of the platform, each field by itself (spec 23.2)', async () => {
  const jobType = `type-${Date.now()}`;
  const team = await given.team({ job_budget_defaults: { max_calls: 5, max_tokens: 1_000, deadline_seconds: 70 } });
  await givenRow(null, jobType, { max_calls: 6, max_tokens: null });
  await givenRow(team.teamId, jobType, { max_calls: 7 });

  const created = expectOk(await create(team, { job_type: jobType }));

  expect(created.budget).toMatchObject({ max_calls: 7, max_tokens: null, deadline_seconds: 70 });
});

test('figures of a request above the maxima are 422 at their fields, and nothing is made (spec 23.2)', async () => {
  const team = await given.team({ job_budget_maxima: { max_cost_usd: 0.5, max_calls: 3 } });
  const budget = { max_cost_usd: 0.51, max_tokens: 10, max_calls: 4 };
  const { single, singleStream, get } = as(gateway, team);

  const answers = [await create(team, { budget }), await single({ budget }), await singleStream({ budget })];

  for (const { status, body } of answers)
    expect([status, body.detail]).toEqual([
      422,
      [
        {
          loc: ['body', 'budget', 'max_cost_usd'],
          msg: 'Input should be less than or equal to 0.5',
          type: 'less_than_equal',
        },
        {
          loc: ['body', 'budget', 'max_calls'],
          msg: 'Input should be less than or equal to 3',
          type: 'less_than_equal',
        },
      ],
    ]);
  expect(expectOk(await get('/api/jobs')).total).toBe(0);
});

test.each([
  [{ max_cost: 1 }, 'max_cost', 'extra_forbidden'],
  [{ max_cost_usd: -1 }, 'max_cost_usd', 'greater_than_equal'],
  [{ max_tokens: 0 }, 'max_tokens', 'greater_than_equal'],
  [{ max_calls: 100_001 }, 'max_calls', 'less_than_equal'],
  [{ deadline_seconds: 1.5 }, 'deadline_seconds', 'int_type'],
  [{ deadline_grace_seconds: 601 }, 'deadline_grace_seconds', 'less_than_equal'],
])('a budget %j is 422 (spec 23.1)', async (budget, field, type) => {
  const team = await given.team();

  const answers = [await create(team, { budget }), await as(gateway, team).single({ budget })];

  for (const { status, body } of answers)
    expect([status, body.detail]).toEqual([422, [expect.objectContaining({ loc: ['body', 'budget', field], type })]]);
});

test('a job of create-and-call, of a chat completion and of a task has the budget in force (spec 23.2)', async () => {
  const team = await given.team({ job_budget_defaults: { max_calls: 5 } });
  const chat = chatWith(gateway, team);
  const jobOf = async (answer: { status: number; headers: Headers }) => {
    expect(answer.status).toBe(200);
    return read(team, answer.headers.get('x-job-id')!);
  };

  const jobs = [
    await jobOf(await as(gateway, team).single({ budget: { max_tokens: 70_000 } })),
    await jobOf(await chat()),
    await jobOf(await chat({}, { 'x-external-task-id': 'task-1' })),
  ];

  expect(jobs.map(({ budget }) => [budget.max_calls, budget.max_tokens, budget.spent.calls])).toEqual([
    [5, 70_000, 1],
    [5, null, 1],
    [5, null, 1],
  ]);
});

test('a creation that is repeated with its Idempotency-Key finds its job and budget, also where the maxima are lower by then (spec 23.2)', async () => {
  const team = await given.team();
  const body = { team_id: team.teamId, job_type: 'report', budget: { max_calls: 9 } };
  const send = () => as(gateway, team).post('/api/jobs/create', body, { 'idempotency-key': 'budget-1' });
  const first = expectOk(await send());
  await given.admin('put', `/api/teams/${team.teamId}`, { job_budget_maxima: { max_calls: 2 } });
  await deleteStoredAnswers(gateway.current);

  expect(expectOk(await send())).toEqual(first);
});

test('a row of the price list holds where the defaults of the team were set and taken back (spec 23.2)', async () => {
  const team = await given.team({ job_budget_defaults: { max_calls: 5 } });
  await given.admin('put', `/api/teams/${team.teamId}`, { job_budget_defaults: null });
  await given.admin('put', `/api/teams/${team.teamId}/job-types/report`, { budget: { max_tokens: 700 } });

  expect(expectOk(await create(team)).budget).toMatchObject({ max_calls: null, max_tokens: 700 });
  await given.admin('put', `/api/teams/${team.teamId}/job-types/report`, { credits: 2 });
  expect(expectOk(await create(team))).not.toHaveProperty('budget');
});

test('a change of the settings does not change the budget of a job (spec 23.2)', async () => {
  const team = await given.team({ job_budget_defaults: { max_calls: 5 } });
  const created = expectOk(await create(team));

  await given.admin('put', `/api/teams/${team.teamId}`, {
    job_budget_defaults: null,
    job_budget_maxima: { max_calls: 1 },
  });

  expect((await read(team, created.job_id)).budget.max_calls).toBe(5);
  expect(expectOk(await create(team)).budget.max_calls).toBe(1);
});
