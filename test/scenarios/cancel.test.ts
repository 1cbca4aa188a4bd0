import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { workflowId } from '../../src/domain/ids.ts';
import { auditOf } from '../support/audit-of.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { until } from '../support/until.ts';
import { untilClosing } from '../support/until-closing.ts';
import { untilRequested } from '../support/until-requested.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('cancelling aborts the call upstream, records it and costs nothing', async () => {
  const model = 'sim-slow-60000-as-cancelled';
  const team = await given.team({ credits: 5, models: [model] });
  const job = await given.job(team);
  const call = as(gateway, team).call(job);
  await untilRequested(gateway, model);

  const outcome = expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`, { reason: 'changed my mind' }));
  const again = expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));

  expect(outcome).toMatchObject({
    status: 'cancelled',
    costs: { total_calls: 1, failed_calls: 1, credit_applied: false, credits_remaining: 5 },
    calls: [{ error: 'cancelled' }],
  });
  expect(again).toEqual(outcome);
  expect(await call).toMatchObject({ status: 500, body: { detail: 'LLM call failed: cancelled' } });
  await until(() => gateway.current.simulator.requestsFor({ model })[0]!.aborted);
});

test.each([
  ['call', 'sim-slow-1500-as-soon-over'],
  ['stream', 'sim-tokens-30-every-50-as-soon-over'],
] as const)('a %s that would soon be over is aborted all the same', async (kind, model) => {
  const team = await given.team({ credits: 5, models: [model] });
  const job = await given.job(team);
  const call = as(gateway, team)[kind](job);
  await untilRequested(gateway, model);

  const outcome = expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));
  await call;

  expect(outcome).toMatchObject({ status: 'cancelled', calls: [{ error: 'cancelled' }] });
  await until(() => gateway.current.simulator.requestsFor({ model })[0]!.aborted);
});

test('a job whose completion waits for a call can be cancelled: it has not ended', async () => {
  const model = 'sim-slow-60000-as-completing';
  const team = await given.team({ credits: 5, models: [model] });
  const job = await given.job(team, { metadata: { kept: true } });
  const call = as(gateway, team).call(job);
  await untilRequested(gateway, model);
  const completion = as(gateway, team).complete(job, 'completed', { metadata: { kept: false } });
  await untilClosing(gateway, team, job);

  const outcome = expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));

  expect(outcome).toMatchObject({ status: 'cancelled', costs: { credit_applied: false, credits_remaining: 5 } });
  expect(await completion).toMatchObject({ status: 409, body: { detail: 'Job is already cancelled' } });
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).metadata).toEqual({ kept: true });
  expect(await call).toMatchObject({ status: 500, body: { detail: 'LLM call failed: cancelled' } });
});

test('a single-call job whose workflow an operator cancels is cancelled, not failed', async () => {
  const model = 'sim-slow-60000-as-cancelled-by-operator';
  const team = await given.team({ models: [model] });
  const answer = as(gateway, team).single();
  await untilRequested(gateway, model);
  const [job] = (await as(gateway, team).get('/api/jobs')).body.jobs;

  await gateway.current.deps.temporal.client.workflow.getHandle(workflowId.job(job.job_id)).cancel();

  expect(await answer).toMatchObject({ status: 500, body: { detail: 'LLM call failed: cancelled' } });
  const ended = expectOk(await as(gateway, team).get(`/api/jobs/${job.job_id}`));
  expect(ended).toMatchObject({ status: 'cancelled', error_message: null, credit_applied: false });
});

test('an operator who signals a call that is none leaves the job as it was', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const handle = gateway.current.deps.temporal.client.workflow.getHandle(workflowId.job(job));

  await handle.signal('llmCall', { call_id: 'none' });
  await handle.signal('llmCall', { call_id: randomUUID() });

  expect(expectOk(await as(gateway, team).complete(job)).costs).toMatchObject({ total_calls: 0, credit_applied: true });
});

test('one who signals a call that is none to a job that is closing does not hold it up', async () => {
  const model = 'sim-slow-2000-as-closing';
  const team = await given.team({ models: [model] });
  const job = await given.job(team);
  const call = as(gateway, team).call(job);
  await untilRequested(gateway, model);
  const completion = as(gateway, team).complete(job);
  await untilClosing(gateway, team, job);

  await gateway.current.deps.temporal.client.workflow
    .getHandle(workflowId.job(job))
    .signal('llmCall', { call_id: 'none' });

  expect(expectOk(await completion)).toMatchObject({ status: 'completed', costs: { total_calls: 1 } });
  expectOk(await call);
});

test('admins who cancel a job together have cancelled it once', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const admin = { ...team, key: gateway.current.masterKey };

  const answers = await Promise.all([1, 2, 3].map(() => as(gateway, admin).post(`/api/jobs/${job}/cancel`)));

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await auditOf(gateway.current, job)).toHaveLength(1);
});

test('an admin may cancel a job, and may not complete it', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const admin = { ...team, key: gateway.current.masterKey };

  const completed = await as(gateway, admin).complete(job);
  const cancelled = await as(gateway, admin).post(`/api/jobs/${job}/cancel`);

  expect(completed.status).toBe(403);
  expect(expectOk(cancelled).status).toBe('cancelled');
  expectOk(await as(gateway, admin).post(`/api/jobs/${job}/cancel`));
  expect(await auditOf(gateway.current, job)).toMatchObject([{ action: 'cancelled_job', user_id: null }]);
});

test("an admin's cancellation ends the job with its audit entry, or not yet", async () => {
  const team = await given.team();
  const job = await given.job(team);
  const admin = { ...team, key: gateway.current.masterKey };
  const { pool } = gateway.current.deps.database;
  const statusOf = async () => (await pool.query('select status from jobs where job_id = $1', [job])).rows[0].status;

  await pool.query('alter table audit_log rename to audit_log_away');
  const cancelling = as(gateway, admin).post(`/api/jobs/${job}/cancel`);
  await pause(1_000);
  const meanwhile = await statusOf();
  await pool.query('alter table audit_log_away rename to audit_log');

  expect(expectOk(await cancelling).status).toBe('cancelled');
  expect(meanwhile).toBe('pending');
  expect(await auditOf(gateway.current, job)).toMatchObject([{ action: 'cancelled_job', user_id: null }]);
});
