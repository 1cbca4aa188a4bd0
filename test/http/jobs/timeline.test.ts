import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { type Json, sendRequest } from '../../support/send-request.ts';
import { adminsIn } from '../admin-users/admins.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admins = adminsIn(gateway);

const timelineOf = async (team: GivenTeam, job: string, query = '') =>
  expectOk(await as(gateway, team).get(`/api/jobs/${job}/timeline${query}`));
const timelineForAdmin = async (job: string) => expectOk(await asAdmin(gateway).get(`/api/jobs/${job}/timeline`));

test('the timeline of a charged job has its calls, its ledger row and why it was charged (spec 19.24, spec 19.25)', async () => {
  const team = await given.team({ credits: 5 });
  const job = await given.job(team);
  const { call_id } = expectOk(await as(gateway, team).call(job, { purpose: 'draft' }));
  expectOk(await as(gateway, team).complete(job));

  const timeline = await timelineOf(team, job);

  expect(timeline).toMatchObject({
    job: { job_id: job, total_calls: 1, failed_calls: 0, credits_charged: 1, duration_ms: expect.any(Number) },
    verdict: {
      charged: true,
      credits: 1,
      rule: 'charged',
      inputs: {
        ended_by: 'client',
        budget_mode: 'job_based',
        price_credits: 1,
        credits_remaining: 4,
        credit_limit: 5,
        refunded: null,
      },
      sentence: expect.stringContaining('5 credits before and 4 credits after'),
    },
    calls: [
      { call_id, position: 1, purpose: 'draft', status: 'succeeded', finish_reason: 'stop', payload_stored: true },
    ],
    calls_total: 1,
    next_calls_cursor: null,
    transactions: [{ transaction_type: 'deduction', credits_before: 5, credits_after: 4, job_id: job }],
    deliveries: [],
    audit: [],
  });
});

test('models, attempts and audit entries of a timeline are shown to an admin and not to a team (spec 19.24)', async () => {
  const team = await given.team({ models: ['sim-ok'] });
  const job = await given.job(team);
  expectOk(await as(gateway, team).call(job));
  const { token, userId, email } = await admins.admin('admin');
  const cancelled = await sendRequest(gateway.current.url, 'post', `/api/jobs/${job}/cancel`, {
    key: token,
    body: { reason: 'stop' },
  });
  expectOk(cancelled);

  const own = await timelineOf(team, job);
  const forAdmin = await timelineForAdmin(job);

  expect(JSON.stringify(own)).not.toMatch(/sim-ok|attempts":\[/);
  expect(own).not.toHaveProperty('temporal');
  expect(own.verdict.sentence).toBe(
    'Not charged: the job was cancelled by an administrator: “stop”, and only completed jobs are charged.',
  );
  expect(forAdmin.calls[0]).toMatchObject({
    resolved_model: 'sim-ok',
    attempts: [{ model: 'sim-ok', outcome: 'succeeded' }],
  });
  expect(forAdmin.verdict).toMatchObject({ rule: 'cancelled', sentence: expect.stringContaining(email) });
  expect(forAdmin.audit).toMatchObject([{ action: 'cancelled_job', resource_id: job, user_id: userId }]);
  expect(forAdmin.temporal).toEqual({ workflow_id: `job-${job}`, url: null });
});

test('the verdict names the failed call that made a completed job free (spec 19.25)', async () => {
  const team = await given.team();
  const failing = await given.team({ organizationId: team.organizationId, models: ['sim-fail-400'] });
  const job = await given.job(failing);
  const first = await as(gateway, failing).call(job);
  expect(first.status).toBe(500);
  expectOk(await as(gateway, failing).complete(job));

  const { verdict, calls } = await timelineOf(failing, job);

  expect(verdict).toMatchObject({
    charged: false,
    credits: 0,
    rule: 'failed_calls',
    inputs: { failed_calls: 1, first_failed_call: { call_id: calls[0].call_id, position: 1 } },
  });
});

test('a later change of the billing of a team changes no verdict of its ended jobs (spec 19.26)', async () => {
  const team = await given.team({ budget_mode: 'consumption_tokens', tokens_per_credit: 7, credits: 1_000 });
  const job = await given.job(team);
  expectOk(await as(gateway, team).call(job));
  expectOk(await as(gateway, team).complete(job));
  const before = await timelineOf(team, job);

  expectOk(
    await asAdmin(gateway).put(`/api/teams/${team.teamId}`, {
      budget_mode: 'consumption_usd',
      credits_per_dollar: 3,
      credit_limit: null,
    }),
  );

  expect((await timelineOf(team, job)).verdict).toEqual(before.verdict);
  expect(before.verdict).toMatchObject({
    credits: before.transactions[0].credits_amount,
    inputs: { budget_mode: 'consumption_tokens', tokens_per_credit: 7, credits_per_dollar: null, credit_limit: 1_000 },
  });
});

test('the timeline of a job that the balance did not cover has its price and the balance (spec 19.25)', async () => {
  const team = await given.team({
    models: ['sim-cost-1000000'],
    budget_mode: 'consumption_usd',
    credits_per_dollar: 20,
    credits: 5,
  });
  const job = await given.job(team);
  expectOk(await as(gateway, team).call(job));
  expectOk(await as(gateway, team).complete(job));

  const { verdict } = await timelineOf(team, job);

  expect(verdict).toMatchObject({
    rule: 'balance_too_low',
    credits: 0,
    inputs: { price_credits: 20, credits_remaining: 5 },
  });
  expect(verdict.sentence).toContain('is 20 credits, but the team had 5 credits left of its fixed budget');
});

test('the timeline of an open job has its price, and that of a refunded job the time and reason of the refund (spec 19.25)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const { verdict: open } = await timelineOf(team, job);
  expectOk(await as(gateway, team).complete(job));
  expectOk(
    await asAdmin(gateway).post(`/api/teams/${team.teamId}/credits/refund`, { job_id: job, reason: 'wrong report' }),
  );

  const { verdict, transactions, audit } = await timelineForAdmin(job);

  expect(open).toMatchObject({
    rule: 'open',
    charged: false,
    inputs: { status: 'pending', ended_by: null, price_credits: 1 },
  });
  expect(verdict).toMatchObject({
    rule: 'refunded',
    charged: true,
    credits: 1,
    inputs: { refunded: { credits: 1, reason: 'wrong report' } },
  });
  expect(transactions.map((one: { transaction_type: string }) => one.transaction_type)).toEqual([
    'deduction',
    'refund',
  ]);
  expect(audit).toMatchObject([{ action: 'refunded_credits', details: { job_id: job } }]);
});

test('the verdict of a single-call job has its call as the cause of its end (spec 19.26)', async () => {
  const team = await given.team();
  const { job_id } = expectOk(await as(gateway, team).single());

  expect((await timelineOf(team, job_id)).verdict).toMatchObject({ rule: 'charged', inputs: { ended_by: 'call' } });
});

test('the calls of a long job are read page by page', async () => {
  const team = await given.team({ rpm_limit: 1_000 });
  const job = await given.job(team);
  for (const purpose of ['a', 'b', 'c']) expectOk(await as(gateway, team).call(job, { purpose }));

  const first = await timelineOf(team, job, '?calls_limit=2');
  const second = await timelineOf(team, job, `?calls_limit=2&calls_cursor=${first.next_calls_cursor}`);

  const purposes = [first, second].map(({ calls }) => calls.map((call: { purpose: string }) => call.purpose));
  expect(purposes).toEqual([['a', 'b'], ['c']]);
  expect([second.calls[0].position, second.calls_total, second.next_calls_cursor]).toEqual([3, 3, null]);
});

test('the timeline of a job of another team is refused', async () => {
  const job = await given.job(await given.team());

  const answer = await as(gateway, await given.team()).get(`/api/jobs/${job}/timeline`);

  expect(answer.status).toBe(403);
});

test('looks at the calls of a job are one entry for each admin, so that they hide no other entry (spec 19.24, spec 19.29)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const { call_id } = expectOk(await as(gateway, team).call(job));
  const [first, second] = [await admins.admin('admin'), await admins.admin('admin')];
  const send = (token: string, method: string, path: string, body?: object) =>
    sendRequest(gateway.current.url, method, path, { key: token, body });
  expectOk(await send(first.token, 'post', `/api/jobs/${job}/cancel`, { reason: 'stop' }));
  const { database } = gateway.current.deps;
  for (const { token } of [first, second])
    expectOk(await send(token, 'get', `/api/jobs/${job}/calls/${call_id}?include=request`));
  // As many as would fill the list by themselves.
  await database.pool.query(
    `insert into audit_log (audit_id, user_id, action, resource_type, resource_id, details)
     select gen_random_uuid(), user_id, action, resource_type, resource_id, details from audit_log cross join generate_series(1, 250)
      where audit_id = (select audit_id from audit_log where resource_id = $1 and user_id = $2 and action = 'read_call_payload' limit 1)`,
    [job, second.userId],
  );

  const { audit } = await timelineForAdmin(job);

  expect(audit.map(({ action, user_id, times }: Json) => [action, user_id, times])).toEqual([
    ['cancelled_job', first.userId, 1],
    ['read_call_payload', first.userId, 1],
    ['read_call_payload', second.userId, 251],
  ]);
});
