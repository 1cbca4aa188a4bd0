import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { workflowId } from '../../src/domain/ids.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { readAudit } from '../support/read-audit.ts';
import { until } from '../support/until.ts';
import { untilClosing } from '../support/until-closing.ts';
import { untilRequested } from '../support/until-requested.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('a cancelled job aborts its call in the upstream, records it as failed and is not charged (spec 3.6)', async () => {
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
  ['call', 'sim-slow-1500-as-short'],
  ['stream', 'sim-tokens-30-every-50-as-short'],
] as const)('a %s that would end within 2 s is aborted when its job is cancelled', async (kind, model) => {
  const team = await given.team({ credits: 5, models: [model] });
  const job = await given.job(team);
  const call = as(gateway, team)[kind](job);
  await untilRequested(gateway, model);

  const outcome = expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));
  await call;

  expect(outcome).toMatchObject({ status: 'cancelled', calls: [{ error: 'cancelled' }] });
  await until(() => gateway.current.simulator.requestsFor({ model })[0]!.aborted);
});

test('a job whose completion waits for a call is cancelled by a cancel, without the metadata of the completion (spec 3.15)', async () => {
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

test('a single-call job whose workflow an operator cancels is cancelled, not failed (spec 3.17)', async () => {
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

test('a job that receives a signal for a call without a record ignores the signal', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const handle = gateway.current.deps.temporal.client.workflow.getHandle(workflowId.job(job));

  await handle.signal('llmCall', { call_id: 'none' });
  await handle.signal('llmCall', { call_id: randomUUID() });

  expect(expectOk(await as(gateway, team).complete(job)).costs).toMatchObject({ total_calls: 0, credit_applied: true });
});

test('a closing job that receives a signal for a call without a record completes', async () => {
  const model = 'sim-slow-6000-as-closing';
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

test('a job that three admins cancel at once has one audit entry', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const admin = { ...team, key: gateway.current.masterKey };

  const answers = await Promise.all([1, 2, 3].map(() => as(gateway, admin).post(`/api/jobs/${job}/cancel`)));

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await readAudit(gateway.current, job)).toHaveLength(1);
});

test('an admin can cancel a job, and is answered 403 when completing it (spec 2.3)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const admin = { ...team, key: gateway.current.masterKey };

  const completed = await as(gateway, admin).complete(job);
  const cancelled = await as(gateway, admin).post(`/api/jobs/${job}/cancel`);

  expect(completed.status).toBe(403);
  expect(expectOk(cancelled).status).toBe('cancelled');
  expectOk(await as(gateway, admin).post(`/api/jobs/${job}/cancel`));
  expect(await readAudit(gateway.current, job)).toMatchObject([{ action: 'cancelled_job', user_id: null }]);
});

test('a job that an admin cancels ends only when its audit entry can be inserted', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const admin = { ...team, key: gateway.current.masterKey };
  const { pool } = gateway.current.deps.database;
  const statusOf = async () => (await pool.query('select status from jobs where job_id = $1', [job])).rows[0].status;

  await pool.query('alter table audit_log rename to audit_log_renamed');
  const cancelling = as(gateway, admin).post(`/api/jobs/${job}/cancel`);
  await pause(1_000);
  const meanwhile = await statusOf();
  await pool.query('alter table audit_log_renamed rename to audit_log');

  expect(expectOk(await cancelling).status).toBe('cancelled');
  expect(meanwhile).toBe('pending');
  expect(await readAudit(gateway.current, job)).toMatchObject([{ action: 'cancelled_job', user_id: null }]);
});
