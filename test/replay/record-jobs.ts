import { randomUUID } from 'node:crypto';
import { workflowId } from '../../src/domain/ids.ts';
import type { MaintenanceWorkflow } from '../../workflows/contract/workflows.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { giveDeadline } from '../support/give-deadline.ts';
import { as, expectOk, type GivenTeam, givenIn, hello } from '../support/given.ts';
import { until } from '../support/until.ts';
import { untilClosing } from '../support/until-closing.ts';
import { untilRequested } from '../support/until-requested.ts';
import { writeHistory } from './write-history.ts';

// Runs as a test, because it needs the services and the gateway of a test: `npm run record-histories`.

const gateway = gatewayForTests({ settings: { TASK_JOB_IDLE: '1s' } });
const given = givenIn(gateway);

const handleOf = (jobId: string) => gateway.current.deps.temporal.client.workflow.getHandle(workflowId.job(jobId));

async function record(name: string, jobId: string): Promise<void> {
  writeHistory(name, await handleOf(jobId).fetchHistory());
}

test('a job with two calls in turn and metadata updates', async () => {
  const team = await given.team();
  const job = await given.job(team, { metadata: { a: 1 } });
  await as(gateway, team).call(job);
  await as(gateway, team).stream(job);
  await as(gateway, team).patch(`/api/jobs/${job}/metadata`, { metadata: { b: 2 } });
  expectOk(await as(gateway, team).complete(job, 'completed', { metadata: { c: 3 } }));
  await record('calls-in-turn', job);
});

test('a job with twelve calls at once, completed while they run', async () => {
  const team = await given.team({ models: ['sim-slow-300'] });
  const job = await given.job(team);
  const calls = Array.from({ length: 12 }, () => as(gateway, team).call(job));
  await until(() => gateway.current.simulator.counts().running > 0);
  expectOk(await as(gateway, team).complete(job));
  await Promise.all(calls);
  await record('calls-at-once', job);
});

test('a failed job with a failed call', async () => {
  const team = await given.team({ models: ['sim-fail-400'] });
  const job = await given.job(team);
  await as(gateway, team).call(job);
  expectOk(await as(gateway, team).complete(job, 'failed', { error_message: 'the model is unavailable' }));
  await record('failed', job);
});

test('a failed job whose error message has more UTF-16 units than characters', async () => {
  const team = await given.team();
  const job = await given.job(team);
  expectOk(await as(gateway, team).complete(job, 'failed', { error_message: '🙂'.repeat(1_000) }));
  await record('failed-with-long-message', job);
});

test('a job that is cancelled while a call runs', async () => {
  const team = await given.team({ models: ['sim-slow-60000-as-recorded'] });
  const job = await given.job(team);
  const call = as(gateway, team).call(job);
  await untilRequested(gateway, 'sim-slow-60000-as-recorded');
  expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));
  await call;
  await record('cancelled', job);
});

test('a job that its deadline ends while a call runs', async () => {
  const team = await given.team({ models: ['sim-slow-60000-as-overdue'] });
  const job = await given.job(team);
  const call = as(gateway, team).call(job);
  await untilRequested(gateway, 'sim-slow-60000-as-overdue');
  await giveDeadline(gateway.current, job, 500);
  await call;
  await handleOf(job).result();
  await record('ended-by-deadline', job);
});

test('a job that is cancelled while its completion waits for a call', async () => {
  const team = await given.team({ models: ['sim-slow-2000'] });
  const job = await given.job(team);
  const call = as(gateway, team).call(job);
  await until(() => gateway.current.simulator.counts().running > 0);
  const completion = as(gateway, team).complete(job);
  await untilClosing(gateway, team, job);
  await as(gateway, team).post(`/api/jobs/${job}/cancel`);
  await Promise.all([call, completion]);
  await record('cancelled-while-completing', job);
});

test('an open job', async () => {
  const team = await given.team();
  const job = await given.job(team);
  await as(gateway, team).call(job);
  // The client receives its answer before the workflow has received the end of the call.
  await until(
    async () => (await handleOf(job).fetchHistory()).events ?? [],
    (events) =>
      events.some((event) => event.activityTaskCompletedEventAttributes) &&
      Boolean(events.at(-1)?.workflowTaskCompletedEventAttributes),
  );
  await record('open', job);
});

test('a job whose workflow an operator cancelled', async () => {
  const team = await given.team();
  const job = await given.job(team);
  await as(gateway, team).call(job);
  await handleOf(job).cancel();
  await handleOf(job).result();
  await record('cancelled-by-operator', job);
});

test.each(['create-and-call', 'create-and-call-stream'])('a single-call job, by %s', async (path) => {
  const team = await given.team();
  const answer = await as(gateway, team).post(`/api/jobs/${path}`, {
    team_id: team.teamId,
    job_type: 'summary',
    model: team.modelGroup,
    messages: hello,
  });
  const job = answer.headers.get('x-job-id')!;
  // The response does not wait for the workflow.
  await gateway.current.deps.jobs.result(job);
  await record(path, job);
});

async function startSingleCall(team: GivenTeam, model = team.modelGroup) {
  const answer = as(gateway, team).single({ model });
  const { job_id } = await until(
    async () => expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/jobs`)).jobs[0],
    (found) => found?.status === 'in_progress',
  );
  return { answer, job_id };
}

test('a single-call job with another call that fails first', async () => {
  const [own, other] = await Promise.all([given.modelGroup(['sim-slow-1500']), given.modelGroup(['sim-fail-400'])]);
  const team = await given.team({ model_groups: [own, other] });
  const { answer, job_id } = await startSingleCall(team, own);
  await as(gateway, team).call(job_id, { model_group: other });
  expectOk(await answer);
  await record('create-and-call-with-another', job_id);
});

test('a single-call job that is completed while its call runs', async () => {
  const team = await given.team({ models: ['sim-slow-1500'] });
  const { answer, job_id } = await startSingleCall(team);
  expectOk(await as(gateway, team).complete(job_id, 'failed'));
  await answer;
  await record('create-and-call-completed', job_id);
});

test('a job that another workflow ends after the first was terminated during a call', async () => {
  const team = await given.team({ models: ['sim-slow-60000-as-left'] });
  const job = await given.job(team);
  const call = as(gateway, team).call(job);
  await untilRequested(gateway, 'sim-slow-60000-as-left');
  await handleOf(job).terminate();
  await gateway.current.deps.jobs.resume(job);
  await call;
  await handleOf(job).result();
  await record('resumed-after-termination', job);
});

test('maintenance that continued as new after a few rounds', async () => {
  const { client, taskQueue } = gateway.current.deps.temporal;
  const rounds = await client.workflow.start<MaintenanceWorkflow>('maintenance', {
    taskQueue,
    workflowId: `maintenance-${randomUUID()}`,
    args: [{ pause_ms: 100, history_limit: 25 }],
  });
  const { runId } = await rounds.describe();
  await until(async () => (await rounds.describe()).runId !== runId);
  await rounds.terminate();
  writeHistory('maintenance', await client.workflow.getHandle(rounds.workflowId, runId).fetchHistory());
});

const taskCall = (team: GivenTeam, fields: object, headers: Record<string, string>) =>
  as(gateway, team).post('/v1/chat/completions', { model: team.modelGroup, messages: hello, ...fields }, headers);

test('a job of a task that its call ends', async () => {
  const team = await given.team();
  const headers = { 'x-external-task-id': 'task', 'x-job-end': 'answer' };
  const answer = await taskCall(team, {}, headers);
  await record('ended-by-call', answer.headers.get('x-job-id')!);
});

const lookUp = { type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } };

test.each([
  ['an answer', 'idle-after-answer', {}],
  ['tool calls', 'idle-after-tool-calls', { tools: [lookUp], tool_choice: 'required' }],
])('a job of a task that is idle after %s', async (_, name, fields) => {
  const team = await given.team();
  const answer = await taskCall(team, fields, { 'x-external-task-id': name });
  const job = answer.headers.get('x-job-id')!;
  await handleOf(job).result();
  await record(name, job);
});

test('a job of a turn that a call continues, and that ends', async () => {
  const team = await given.team();
  const headers = { 'x-external-task-id': 'turn', 'x-job-end': 'turn=1' };
  const job = (await taskCall(team, {}, headers)).headers.get('x-job-id')!;
  await taskCall(team, { tools: [lookUp], tool_choice: 'required' }, headers);
  await taskCall(team, {}, headers);
  await handleOf(job).result();
  await record('turn', job);
});

test('an asynchronous call, after which its job is completed', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const { body } = await as(gateway, team).call(job, {}, { prefer: 'respond-async' });
  await as(gateway, team).get(`/api/jobs/${job}/calls/${body.call_id}?wait=60`);
  expectOk(await as(gateway, team).complete(job));
  await record('asynchronous-call', job);
});

test.each([
  [
    'a job of a task, which the stopped call would have ended',
    'stopped',
    { 'x-external-task-id': 'stopped', 'x-job-end': 'answer' },
  ],
  ['a single-call job', 'stopped-single-call', {}],
] as const)('a call that is stopped while it runs, of %s', async (_, name, headers) => {
  const model = `sim-slow-60000-as-${name}`;
  const team = await given.team({ models: [model] });
  const answer = taskCall(team, {}, headers);
  await untilRequested(gateway, model);
  const { jobs } = expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/jobs`));
  const { job_id } = jobs[0];
  const { calls } = expectOk(await as(gateway, team).get(`/api/jobs/${job_id}/calls`));
  expectOk(await as(gateway, team).post(`/api/jobs/${job_id}/calls/${calls[0].call_id}/stop`));
  await answer;
  if (name === 'stopped') expectOk(await as(gateway, team).complete(job_id));
  await handleOf(job_id).result();
  await record(name, job_id);
});
