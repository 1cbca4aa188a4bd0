import { workflowId } from '../../../src/domain/ids.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import type { Answer } from '../../support/send-request.ts';
import { untilClosing } from '../../support/until-closing.ts';
import { untilRequested } from '../../support/until-requested.ts';
import { chatWith, readChunks } from './chat.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const jobOf = (answer: Answer): string => {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.headers.get('x-job-id')!;
};
const jobsOf = async (team: GivenTeam) => expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/jobs`)).jobs;
const inTask = (task: string, further: Record<string, string> = {}) => ({ 'x-external-task-id': task, ...further });

test('the first call of a task makes a job that stays open, with the fields of the request, and the next call joins it (spec 18.1)', async () => {
  const team = await given.team();
  const chat = chatWith(gateway, team);
  const task = unique('task');

  const first = await chat({ user: 'ann', metadata: { room: 'a' } }, inTask(task, { 'x-job-type': 'agent' }));
  const second = await chat({ metadata: { external_task_id: task, job_type: 'ignored' } });

  expect(jobOf(second)).toBe(jobOf(first));
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${jobOf(first)}`))).toMatchObject({
    status: 'in_progress',
    job_type: 'agent',
    user_id: 'ann',
    external_task_id: task,
    metadata: { room: 'a' },
  });
});

test('one request to Temporal starts the job of a task with the signal of its first call', async () => {
  const team = await given.team();

  const job = jobOf(await chatWith(gateway, team)({}, inTask(unique('task'))));

  const workflow = gateway.current.deps.temporal.client.workflow.getHandle(workflowId.job(job));
  const { events } = await workflow.fetchHistory();
  // A start and a signal in two requests have a workflow task between them.
  expect(events?.[1]).toHaveProperty('workflowExecutionSignaledEventAttributes.signalName', 'llmCall');
});

test('fifty first calls of a task at once make one job (spec 17.2, spec 18.1)', async () => {
  const team = await given.team({ rpm_limit: 1_000, tpm_limit: 1_000_000 });
  const chat = chatWith(gateway, team);
  const task = unique('task');

  const answers = await Promise.all(Array.from({ length: 50 }, () => chat({}, inTask(task))));

  const [job, ...others] = new Set(answers.map(jobOf));
  expect(others).toEqual([]);
  const completed = expectOk(await as(gateway, team).complete(job!));
  expect(completed.costs).toMatchObject({ total_calls: 50, credit_applied: true });
  expect(await jobsOf(team)).toHaveLength(1);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});

test('two tasks of a team, and the same task of two teams, have different jobs', async () => {
  const [team, other] = [await given.team(), await given.team()];
  const task = unique('task');

  const jobs = [
    jobOf(await chatWith(gateway, team)({}, inTask(task))),
    jobOf(await chatWith(gateway, team)({}, inTask(`${task}-2`))),
    jobOf(await chatWith(gateway, other)({}, inTask(task))),
  ];

  expect(new Set(jobs).size).toBe(3);
});

test('a call joins the newest open job that was created for its task, and a new job once all of them have ended (spec 18.1)', async () => {
  const team = await given.team();
  const chat = chatWith(gateway, team);
  const task = unique('task');
  const older = await given.job(team, { external_task_id: task });
  const newer = await given.job(team, { external_task_id: task });

  const joined = jobOf(await chat({}, inTask(task)));
  for (const job of [older, newer]) expectOk(await as(gateway, team).complete(job));
  const next = jobOf(await chat({}, inTask(task)));

  expect(joined).toBe(newer);
  expect([older, newer]).not.toContain(next);
});

test.each([
  ['plain', {}],
  ['streamed', { stream: true }],
])('a %s call that finds the job of its task completing opens the next one', async (form, fields) => {
  const model = `sim-slow-6000-as-${form}`;
  const team = await given.team({ models: [model] });
  const group = await given.modelGroup(['sim-ok']);
  await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups: [team.modelGroup, group] });
  const chat = chatWith(gateway, team);
  const task = unique('task');
  const running = chat({}, inTask(task));
  await untilRequested(gateway, model);
  const [{ job_id: first }] = await jobsOf(team);
  const completing = as(gateway, team).complete(first);
  await untilClosing(gateway, team, first);

  const next = await chat({ model: group, ...fields }, inTask(task));
  const after = await chat({ model: group }, inTask(task));

  expect(jobOf(next)).not.toBe(first);
  expect(jobOf(after)).toBe(jobOf(next));
  if ('stream' in fields) expect(readChunks(next).at(-1).choices[0].finish_reason).toBe('stop');
  expect(jobOf(await running)).toBe(first);
  expect(expectOk(await completing)).toMatchObject({ status: 'completed', costs: { credit_applied: true } });
});

test('calls of a task that race with the completions of its jobs all succeed, and each job is charged once', async () => {
  const team = await given.team({ rpm_limit: 1_000, tpm_limit: 1_000_000, credits: 100 });
  const chat = chatWith(gateway, team);
  const task = unique('task');
  const callAndComplete = async () => {
    const job = jobOf(await chat({}, inTask(task)));
    expectOk(await as(gateway, team).complete(job));
  };

  await Promise.all(Array.from({ length: 12 }, callAndComplete));

  const jobs = await jobsOf(team);
  expect(jobs.every(({ status }: { status: string }) => status === 'completed')).toBe(true);
  expect((await as(gateway, team).credits()).credits_used).toBe(jobs.length);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});

test('a repeated request with an Idempotency-Key has the job of its first execution, also when that has ended (spec 18.1)', async () => {
  const team = await given.team();
  const chat = chatWith(gateway, team);
  const headers = inTask(unique('task'), { 'idempotency-key': unique('key') });
  const first = await chat({}, headers);
  expectOk(await as(gateway, team).complete(jobOf(first)));

  const repeated = await chat({}, headers);

  expect(repeated.text).toBe(first.text);
  expect(jobOf(repeated)).toBe(jobOf(first));
  expect(await jobsOf(team)).toHaveLength(1);
});

test('a session header names a task only where the team lists it, and null or an empty text names no task (spec 17.4, spec 18.3)', async () => {
  const [listing, other] = [
    await given.team({ job_key_from: ['header:x-session-id', 'body:user'] }),
    await given.team(),
  ];
  const session = { 'x-session-id': unique('session') };

  const [first, second] = [
    await chatWith(gateway, listing)({}, session),
    await chatWith(gateway, listing)({}, session),
  ];
  const byUser = await chatWith(gateway, listing)({ user: 'ann' }, { 'x-session-id': '' });
  const alone = await chatWith(gateway, other)({}, session);

  expect(jobOf(first)).toBe(jobOf(second));
  const read = async (team: GivenTeam, answer: Answer) =>
    expectOk(await as(gateway, team).get(`/api/jobs/${jobOf(answer)}`));
  expect(await read(listing, first)).toMatchObject({
    status: 'in_progress',
    external_task_id: session['x-session-id'],
  });
  expect(await read(listing, byUser)).toMatchObject({ status: 'in_progress', external_task_id: 'ann' });
  expect(await read(other, alone)).toMatchObject({ status: 'completed', external_task_id: null });
});

test('an invalid task id is refused with the place where it was sent, unless the request names its job otherwise (spec 18.2, spec 18.3)', async () => {
  const team = await given.team({ job_key_from: ['header:x-session-id', 'body:metadata.chat.id'] });
  const chat = chatWith(gateway, team);

  const header = await chat({}, { 'x-session-id': 'two words' });
  const metadata = await chat({ metadata: { 'chat.id': 5 } });
  const named = await chat({}, { 'x-session-id': 'two words', ...inTask(unique('task')) });

  expect(header.body.error).toMatchObject({ code: 'invalid_value', param: 'x-session-id' });
  expect(metadata.body.error).toMatchObject({ code: 'invalid_value', param: 'metadata.chat.id' });
  expect([header.status, metadata.status, named.status]).toEqual([400, 400, 200]);
});

test('a call without a job is refused where the team requires one, and leaves no job (spec 17.5, spec 18.4)', async () => {
  const team = await given.team({ jobless_calls: 'refuse', job_key_from: ['body:user'] });
  const chat = chatWith(gateway, team);

  const refused = await chat();
  const taken = await chat({ user: 'ann' });

  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatchObject({ code: 'job_required', type: 'invalid_request_error', param: null });
  expect((await jobsOf(team)).map(({ job_id }: { job_id: string }) => job_id)).toEqual([jobOf(taken)]);
});

test('a team without credits whose policy is to block makes no job for a task, and goes on in its open job (spec 18.1)', async () => {
  const team = await given.team({ credits: 1, low_balance_policy: 'block' });
  const chat = chatWith(gateway, team);
  const task = unique('task');
  const job = jobOf(await chat({}, inTask(task)));
  expectOk(await as(gateway, team).single());

  const joined = await chat({}, inTask(task));
  const refused = await chat({}, inTask(unique('task')));

  expect(jobOf(joined)).toBe(job);
  expect(refused.body.error.code).toBe('insufficient_quota');
  expect(await jobsOf(team)).toHaveLength(2);
});
