import { randomUUID } from 'node:crypto';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import { workflowId } from '../../src/domain/ids.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { disappearances, terminations } from '../support/lose-workflow.ts';
import { maintain } from '../support/maintain.ts';
import '../support/quiet-temporal.ts';
import { newJob } from '../support/unsent-work.ts';
import { until } from '../support/until.ts';
import { untilRequested } from '../support/until-requested.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const sql = async (text: string, values: unknown[] = []) =>
  (await gateway.current.deps.database.pool.query(text, values)).rows;
const client = () => gateway.current.deps.temporal.client;
const handleOf = (jobId: string) => client().workflow.getHandle(workflowId.job(jobId));
const terminate = (jobId: string) => terminations['was terminated']!(client(), workflowId.job(jobId));
const remove = (jobId: string) => disappearances['was deleted']!(client(), workflowId.job(jobId));
const isRunning = (jobId: string): Promise<boolean> =>
  handleOf(jobId)
    .describe()
    .then(
      ({ status }) => status.name === 'RUNNING',
      () => false,
    );
const jobOf = async (team: GivenTeam, job: string) => expectOk(await as(gateway, team).get(`/api/jobs/${job}`));

afterEach(async () => {
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});

/** Makes the record of a job, and what has happened in it, older. */
async function dateBack(jobId: string, by: string, { withCalls = true } = {}): Promise<void> {
  await sql(
    `update jobs set created_at = created_at - $2::interval, started_at = started_at - $2::interval,
                     updated_at = updated_at - $2::interval where job_id = $1`,
    [jobId, by],
  );
  if (!withCalls) return;
  await sql(
    `update calls set created_at = created_at - $2::interval, finished_at = finished_at - $2::interval where job_id = $1`,
    [jobId, by],
  );
}

const maintainUntil = (team: GivenTeam, jobId: string, status: string) =>
  until(
    async () => {
      await maintain(gateway.current);
      return (await jobOf(team, jobId)).status === status;
    },
    Boolean,
    60_000,
  );

async function answeredAndDeleted(team: GivenTeam): Promise<string> {
  const jobId = await given.job(team);
  expectOk(await as(gateway, team).call(jobId));
  await remove(jobId);
  return jobId;
}

async function neverStarted(team: GivenTeam): Promise<string> {
  const job = newJob(team);
  await insertJob(gateway.current.deps.database, job);
  return job.job_id;
}

test.each([
  ['never started', neverStarted],
  ['deleted', answeredAndDeleted],
])(
  'a job whose workflow was %s times out by itself when nobody has used it for longer than the idle limit (spec 3.18)',
  async (_, givenLost) => {
    const team = await given.team();
    const jobId = await givenLost(team);
    await dateBack(jobId, '8 days');

    await maintainUntil(team, jobId, 'failed');

    expect(await jobOf(team, jobId)).toMatchObject({ error_message: 'Job timed out', credit_applied: false });
  },
  120_000,
);

const lookUp = { type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } };

/** A job that a call made for its task, and that has lost its workflow. */
async function taskJobDeleted(team: GivenTeam, fields: object): Promise<string> {
  const body = { model: team.modelGroup, messages: hello, ...fields };
  const answer = await as(gateway, team).post('/v1/chat/completions', body, { 'x-external-task-id': randomUUID() });
  const jobId = answer.headers.get('x-job-id')!;
  await remove(jobId);
  return jobId;
}

test.each([
  ['an answer', {}, 'completed', true],
  ['tool calls', { tools: [lookUp], tool_choice: 'required' }, 'failed', false],
])(
  'a job of a task that lost its workflow after %s ends as its last call was answered once it is idle for too long',
  async (_, fields, status, credit_applied) => {
    const team = await given.team();
    const jobId = await taskJobDeleted(team, fields);
    await dateBack(jobId, '8 days');

    await maintainUntil(team, jobId, status);

    expect(await jobOf(team, jobId)).toMatchObject({ credit_applied });
  },
  120_000,
);

test.each([
  ['call', {}, 'completed'],
  ['answer', {}, 'completed'],
  ['call', { tools: [lookUp], tool_choice: 'required' }, 'completed'],
  ['answer', { tools: [lookUp], tool_choice: 'required' }, 'in_progress'],
])(
  'a job that lost its workflow between the success of a call with X-Job-End: %s and its end is completed, unless its condition is not met (%j)',
  async (end, fields, status) => {
    const team = await given.team();
    const jobId = await taskJobDeleted(team, fields);
    await sql('update calls set end_job = $2 where job_id = $1', [jobId, end]);

    await until(
      async () => {
        await maintain(gateway.current);
        return status === 'in_progress' ? isRunning(jobId) : (await jobOf(team, jobId)).status === status;
      },
      Boolean,
      60_000,
    );

    expect(await jobOf(team, jobId)).toMatchObject({ status, credit_applied: status === 'completed' });
  },
  120_000,
);

test('a job that lost its workflow long after its creation and soon after its last call does not time out', async () => {
  const team = await given.team();
  const jobId = await answeredAndDeleted(team);
  await dateBack(jobId, '8 days', { withCalls: false });

  // Temporal's visibility notices the deletion late.
  await until(
    async () => {
      await maintain(gateway.current);
      return isRunning(jobId);
    },
    Boolean,
    60_000,
  );

  expect(expectOk(await as(gateway, team).complete(jobId)).costs).toMatchObject({
    total_calls: 1,
    credit_applied: true,
  });
}, 120_000);

test('a job that eight requests resume at once has one workflow, and is charged once', async () => {
  const team = await given.team({ credits: 5 });
  const jobId = await answeredAndDeleted(team);

  const answers = await Promise.all(Array.from({ length: 8 }, () => as(gateway, team).complete(jobId)));

  const [first, ...others] = answers.map(expectOk);
  for (const other of others) expect(other).toEqual(first);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_used: 1 });
}, 120_000);

test('a job whose second workflow was terminated too is ended by a third', async () => {
  const model = 'sim-slow-60000-as-twice';
  const team = await given.team({ models: [model] });
  const jobId = await given.job(team);
  const call = as(gateway, team).call(jobId);
  await untilRequested(gateway, model);
  await terminate(jobId);
  await gateway.current.deps.jobs.resume(jobId);

  await terminate(jobId);
  const completion = await as(gateway, team).complete(jobId);

  expect(completion).toMatchObject({ status: 409, body: { detail: 'Job is already failed' } });
  expect(await call).toMatchObject({
    status: 500,
    body: { detail: "LLM call failed: the job's workflow was terminated" },
  });
}, 120_000);

test('a streamed call whose workflow was terminated after its first token ends with an error, and its job is free', async () => {
  const team = await given.team({ models: ['sim-tokens-1000-every-100'] });
  const jobId = await given.job(team);
  const stream = as(gateway, team).stream(jobId);
  await until(
    async () => (await sql('select first_token_at from calls where job_id = $1', [jobId]))[0]?.first_token_at,
  );

  await terminate(jobId);
  await gateway.current.deps.jobs.resume(jobId);

  const { text } = await stream;
  expect(text).toContain('"error"');
  expect(text.trimEnd()).toMatch(/data: \[DONE\]$/);
  await until(async () => (await jobOf(team, jobId)).status === 'failed');
}, 120_000);

test.each([
  ['with its signals', 200, true],
  ['without its signals', 409, false],
])(
  'a job whose workflow was reset %s during a call ends when it is completed, and the call is answered %i',
  async (how, status, isCounted) => {
    const model = `sim-slow-6000-as-${randomUUID().slice(0, 8)}`;
    const team = await given.team({ models: [model] });
    const jobId = await given.job(team);
    // The reset is to a task that was completed before the call came.
    await until(async () => (await firstTaskOf(jobId)) !== undefined);
    const call = as(gateway, team).call(jobId);
    await untilRequested(gateway, model);

    await reset(jobId, how === 'without its signals');
    const completion = expectOk(await as(gateway, team).complete(jobId));
    await sql(
      `update jobs set completed_at = completed_at - interval '1 minute', created_at = created_at - interval '2 minutes'
                where job_id = $1`,
      [jobId],
    );
    await maintain(gateway.current);

    expect((await call).status).toBe(status);
    expect(completion.costs).toMatchObject({ total_calls: isCounted ? 1 : 0, credit_applied: true });
  },
  120_000,
);

test('a single-call job whose workflow was reset during its call, without later signals, is completed and charged once', async () => {
  const model = 'sim-slow-6000-as-single';
  const team = await given.team({ credits: 5, models: [model] });
  const answer = as(gateway, team).single();
  await untilRequested(gateway, model);
  const [{ job_id }] = await sql('select job_id from calls where resolved_model = $1', [model]);

  await reset(job_id, true);

  expect(expectOk(await answer).costs).toMatchObject({ total_calls: 1, credit_applied: true });
  expect(await as(gateway, team).credits()).toMatchObject({ credits_used: 1 });
}, 120_000);

test('a job that has ended stays as it is when its workflow is reset', async () => {
  const team = await given.team({ credits: 5 });
  const jobId = await given.job(team);
  expectOk(await as(gateway, team).call(jobId));
  const { costs } = expectOk(await as(gateway, team).complete(jobId));
  const ended = await jobOf(team, jobId);

  await reset(jobId, false);
  await handleOf(jobId).result();

  expect(await jobOf(team, jobId)).toEqual(ended);
  expect(expectOk(await as(gateway, team).complete(jobId)).costs).toEqual(costs);
  expect((await as(gateway, team).call(jobId)).status).toBe(409);
}, 120_000);

const firstTaskOf = async (jobId: string) =>
  (await handleOf(jobId).fetchHistory()).events?.find((event) => event.workflowTaskCompletedEventAttributes)?.eventId;

/** Resets a workflow to its first workflow task, as the Temporal UI does. */
async function reset(jobId: string, isWithoutSignals: boolean): Promise<void> {
  const { runId } = await handleOf(jobId).describe();
  const { namespace } = client().options;
  await client().workflowService.resetWorkflowExecution({
    namespace,
    workflowExecution: { workflowId: workflowId.job(jobId), runId },
    workflowTaskFinishEventId: await firstTaskOf(jobId),
    requestId: randomUUID(),
    reason: 'by a test',
    // `ResetReapplyExcludeType`: signals.
    ...(isWithoutSignals && { resetReapplyExcludeTypes: [1] }),
  });
}
