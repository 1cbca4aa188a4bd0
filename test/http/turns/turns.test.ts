import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { disappearances, terminations } from '../../support/lose-workflow.ts';
import { maintain } from '../../support/maintain.ts';
import '../../support/quiet-temporal.ts';
import { workflowId } from '../../../src/domain/ids.ts';
import { until } from '../../support/until.ts';
import { untilRequested } from '../../support/until-requested.ts';
import { chatWith } from '../openai/chat.ts';
import { answers, callsTool, claudeCode, codex, jobOf, jobsOf, subagent } from './agents.ts';

const gateway = gatewayForTests({ settings: { TURN_SETTLE_SECONDS: '1' } });
const given = givenIn(gateway);
afterEach(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));

/** The team may use another model group too. */
async function givenGroup(team: GivenTeam, ...models: string[]): Promise<string> {
  const group = await given.modelGroup(models);
  await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups: [team.modelGroup, group] });
  return group;
}

describe.each([
  ['plain', {}],
  ['streamed', { stream: true }],
])('the %s calls of an agent', (form, fields) => {
  test('in a turn with two tools are one job, completed a moment after the answer and charged once (spec 27.2, spec 27.3)', async () => {
    const team = await given.team();
    const [chat, jobs] = [chatWith(gateway, team), jobsOf(gateway, team)];
    const headers = claudeCode(unique('session'));

    const turns = [];
    for (const turn of [callsTool, callsTool, answers]) turns.push(await chat({ ...turn, ...fields }, headers));
    const job = jobOf(turns[0]!);
    const before = await jobs.read(job);
    const ended = await jobs.untilEnded(job);

    expect(new Set(turns.map(jobOf)).size).toBe(1);
    expect(before).toMatchObject({ status: 'in_progress', job_type: 'claude-code' });
    expect(ended).toMatchObject({
      status: 'completed',
      ended_by: 'call',
      external_task_id: `claude-code:${headers['x-claude-code-session-id']}`,
    });
    expect(await jobs.costs(job)).toMatchObject({ total_calls: 3, credit_applied: true });
    expect(await jobs.creditsUsed()).toBe(1);
  });

  test('for a title just before, of sub-agents one in the other that outlive the main answer, and of a compaction are one job (spec 27.3)', async () => {
    const model = `sim-slow-6000-as-agents-${form}`;
    const team = await given.team({ rpm_limit: 100 });
    const slow = await givenGroup(team, model);
    const [chat, jobs] = [chatWith(gateway, team), jobsOf(gateway, team)];
    const session = unique('session');
    const main = (turn: object) => chat({ ...turn, ...fields }, claudeCode(session));

    const title = await main({});
    const first = await main(callsTool);
    const outer = chat({ ...answers, ...fields, model: slow }, subagent(session, 'outer'));
    const inner = chat({ ...answers, ...fields, model: slow }, subagent(session, 'inner'));
    await untilRequested(gateway, model, 2);
    const compaction = await main({});
    const answer = await main(answers);
    const all = [title, first, compaction, answer, await outer, await inner];
    const job = jobOf(title);
    const stillOpen = await jobs.read(job);
    const { status } = await jobs.untilEnded(job);

    expect(new Set(all.map(jobOf)).size).toBe(1);
    expect([stillOpen.status, status]).toEqual(['in_progress', 'completed']);
    expect(await jobs.costs(job)).toMatchObject({ total_calls: 6, credit_applied: true });
    expect(await jobs.creditsUsed()).toBe(1);
  });
});

test('two prompts of a session are one job within the settle time, and two jobs after it (spec 27.3)', async () => {
  const team = await given.team();
  const [chat, jobs] = [chatWith(gateway, team), jobsOf(gateway, team)];
  const headers = { ...claudeCode(unique('session')), 'x-job-end': 'turn=3' };

  const [one, two] = [jobOf(await chat(answers, headers)), jobOf(await chat(answers, headers))];
  await jobs.untilEnded(one);
  const three = jobOf(await chat(answers, headers));
  await jobs.untilEnded(three);

  expect(two).toBe(one);
  expect(three).not.toBe(one);
  expect(await jobs.creditsUsed()).toBe(2);
});

test('the newest value of X-Job-End: turn counts, also where an earlier call wants a longer time (spec 27.3)', async () => {
  const team = await given.team();
  const [chat, jobs] = [chatWith(gateway, team), jobsOf(gateway, team)];
  const task = { 'x-external-task-id': unique('task') };

  const job = jobOf(await chat(answers, { ...task, 'x-job-end': 'turn=3600' }));
  await chat(answers, { ...task, 'x-job-end': 'turn=1' });

  expect(await jobs.untilEnded(job)).toMatchObject({ status: 'completed' });
});

test.each([
  ['strict', 0],
  ['superseded_ok', 1],
])(
  'a turn whose second call fails with 529 and is repeated is one job, and under %s costs %i credits (spec 27.3)',
  async (billing_policy, credits) => {
    const team = await given.team({ billing_policy, models: ['sim-ok'] });
    const overloaded = await givenGroup(team, 'sim-fail-529');
    const [chat, jobs] = [chatWith(gateway, team), jobsOf(gateway, team)];
    const headers = claudeCode(unique('session'));

    const first = await chat(callsTool, headers);
    const failed = await chat({ ...answers, model: overloaded }, headers);
    const repeated = await chat(answers, headers);
    const job = jobOf(first);

    expect([failed.status, jobOf(repeated)]).toEqual([502, job]);
    expect(await jobs.untilEnded(job)).toMatchObject({ status: 'completed' });
    expect(await jobs.costs(job)).toMatchObject({ total_calls: 3, failed_calls: 1 });
    expect(await jobs.creditsUsed()).toBe(credits);
  },
);

test.each<[string, object, string]>([
  ['fails', {}, 'sim-fail-400'],
  ['has tool calls', callsTool, 'sim-ok'],
])('a turn whose last call %s stays open (spec 27.3)', async (_, fields, model) => {
  const team = await given.team();
  const other = await givenGroup(team, model);
  const [chat, jobs] = [chatWith(gateway, team), jobsOf(gateway, team)];
  const session = unique('session');
  const job = jobOf(await chat(answers, claudeCode(session)));

  await chat({ ...fields, model: other }, claudeCode(session));
  const second = await chat(answers, claudeCode(unique('session')));
  await jobs.untilEnded(jobOf(second));

  expect((await jobs.read(job)).status).toBe('in_progress');
});

test('the turns of Codex are one job each, its sub-agents and compactions included (spec 27.2)', async () => {
  const team = await given.team();
  const [chat, jobs] = [chatWith(gateway, team), jobsOf(gateway, team)];
  const [session, one, two] = [unique('session'), unique('turn'), unique('turn')];

  const first = await chat({ ...callsTool, ...codex(session, one) });
  const agent = await chat({ ...answers, ...codex(session, one) }, { 'x-openai-subagent': 'collab_spawn' });
  const compaction = await chat({ ...answers, ...codex(session, one, 'compaction') });
  const next = await chat({ ...answers, ...codex(session, two) });
  const [job, other] = [jobOf(first), jobOf(next)];
  for (const ended of [job, other]) expect((await jobs.untilEnded(ended)).status).toBe('completed');

  expect([jobOf(agent), jobOf(compaction)]).toEqual([job, job]);
  expect(await jobs.read(job)).toMatchObject({ job_type: 'codex', external_task_id: `codex:${one}` });
  expect((await jobs.calls(job)).map((call) => call.agent)).toEqual([
    { name: 'codex', class: 'turn' },
    { name: 'codex', class: 'subagent' },
    { name: 'codex', class: 'compaction' },
  ]);
  expect(await jobs.creditsUsed()).toBe(2);
});

test('a call of opencode is recorded with its agent, and that of any other client with none (spec 27.2, spec 27.5)', async () => {
  const team = await given.team();
  const [chat, jobs] = [chatWith(gateway, team), jobsOf(gateway, team)];
  const session = unique('ses');

  const agent = await chat(
    {},
    { 'user-agent': 'opencode/1.18.33', 'x-session-id': session, 'x-call-purpose': 'title' },
  );
  const other = await chat({}, { 'user-agent': 'other/1.0', 'x-session-id': session });

  expect(await jobs.read(jobOf(agent))).toMatchObject({
    job_type: 'opencode',
    external_task_id: `opencode:${session}`,
  });
  const [call] = await jobs.calls(jobOf(agent));
  expect(call).toMatchObject({ agent: { name: 'opencode', class: null }, purpose: 'title' });
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${jobOf(agent)}/calls/${call.call_id}`)).agent).toEqual(
    call.agent,
  );
  expect(await jobs.read(jobOf(other))).toMatchObject({ job_type: 'chat.completions', external_task_id: null });
  expect((await jobs.calls(jobOf(other)))[0].agent).toBeNull();
});

test('the team field agent_turns: off gives a call of an agent a job of its own, and job_end: turn ends the jobs of tasks (spec 27.2, spec 27.4)', async () => {
  const team = await given.team();
  const [chat, jobs] = [chatWith(gateway, team), jobsOf(gateway, team)];
  const set = (fields: object) => given.admin('put', `/api/teams/${team.teamId}`, fields);
  expect(await set({ agent_turns: 'off', job_end: 'turn' })).toMatchObject({ agent_turns: 'off', job_end: 'turn' });

  const single = jobOf(await chat({}, claudeCode(unique('session'))));
  const task = jobOf(await chat({}, { 'x-external-task-id': unique('task') }));

  expect(await jobs.read(single)).toMatchObject({ status: 'completed', external_task_id: null });
  expect(await jobs.untilEnded(task)).toMatchObject({ status: 'completed' });
  expect(await set({ agent_turns: null, job_end: null })).toMatchObject({ agent_turns: 'off', job_end: null });
  expect(await set({ agent_turns: 'on' })).toMatchObject({ agent_turns: 'on' });
  expect(jobOf(await chat({}, claudeCode('s')))).not.toBe(jobOf(await chat({}, claudeCode('t'))));
});

test('a new team has agent_turns: on and job_end: null, and other values are refused (spec 27.2, spec 27.4)', async () => {
  const { teamId } = await given.team();

  expect(await given.admin('get', `/api/teams/${teamId}`)).toMatchObject({ agent_turns: 'on', job_end: null });
  for (const fields of [
    { agent_turns: 'yes' },
    { job_end: 'turn=5' },
    { job_end: '' },
    { job_key_from: ['body:client_metadata'] },
  ])
    await expect(given.admin('put', `/api/teams/${teamId}`, fields)).rejects.toThrow('422');
});

test('job_key_from reads a key of a JSON text of a header, of metadata.user_id and of client_metadata (spec 27.7)', async () => {
  const sources = ['header:X-Turn/Root', 'body:metadata.user_id/session', 'body:client_metadata.thread'];
  const team = await given.team({ job_key_from: sources, agent_turns: 'off' });
  const [chat, jobs] = [chatWith(gateway, team), jobsOf(gateway, team)];
  const taskOf = async (fields: Record<string, unknown>, headers: Record<string, string> = {}) =>
    (await jobs.read(jobOf(await chat(fields, headers)))).external_task_id;

  expect(await taskOf({}, { 'x-turn': '{"Root":"r"}' })).toBe('r');
  expect(await taskOf({ metadata: { user_id: '{"session":"s"}' } }, { 'x-turn': 'plain' })).toBe('s');
  expect(await taskOf({ client_metadata: { thread: 't' } }, { 'x-turn': '{"root":"r"}' })).toBe('t');
  const refused = await chat({ metadata: { user_id: '{"session":5}' } });
  expect([refused.status, refused.body.error]).toMatchObject([
    400,
    { code: 'invalid_value', param: 'metadata.user_id' },
  ]);
});

test('a job that its client created and names is completed by a turn too (spec 27.3)', async () => {
  const team = await given.team();
  const jobs = jobsOf(gateway, team);
  const job = await given.job(team);

  await chatWith(gateway, team)({}, { 'x-job-id': job, 'x-job-end': 'turn' });

  expect(await jobs.untilEnded(job)).toMatchObject({ status: 'completed', ended_by: 'call' });
  expect(await jobs.creditsUsed()).toBe(1);
});

test('a call with an Idempotency-Key that is repeated after the end of its turn has the same job, and is not charged again (spec 27.3)', async () => {
  const team = await given.team();
  const [chat, jobs] = [chatWith(gateway, team), jobsOf(gateway, team)];
  const headers = { ...claudeCode(unique('session')), 'idempotency-key': unique('key') };
  const first = await chat(answers, headers);
  await jobs.untilEnded(jobOf(first));

  const repeated = await chat(answers, headers);
  const changed = await chat(answers, { ...headers, 'x-claude-code-session-id': 'another' });

  expect(repeated.text).toBe(first.text);
  expect(jobOf(repeated)).toBe(jobOf(first));
  expect(changed.body.error.code).toBe('idempotency_key_reused');
  expect(await jobs.creditsUsed()).toBe(1);
});

test.each([
  ['was terminated', terminations['was terminated']!],
  ['was deleted', disappearances['was deleted']!],
])('a job whose workflow %s at the end of its turn is completed from its record (spec 27.3)', async (_, lose) => {
  const team = await given.team();
  const [chat, jobs] = [chatWith(gateway, team), jobsOf(gateway, team)];
  const job = jobOf(await chat(answers, { ...claudeCode(unique('session')), 'x-job-end': 'turn=2' }));

  await lose(gateway.current.deps.temporal.client, workflowId.job(job));
  await until(async () => {
    await maintain(gateway.current);
    return (await jobs.read(job)).status !== 'in_progress';
  });

  expect(await jobs.read(job)).toMatchObject({ status: 'completed' });
  expect(await jobs.creditsUsed()).toBe(1);
});

test.each(['turn=0', 'turn=3601', 'turn=', 'turn=1.5', 'TURN', 'turns'])(
  'X-Job-End: %s is refused with its name (spec 27.3)',
  async (value) => {
    const team = await given.team();

    const refused = await chatWith(gateway, team)({}, { 'x-job-end': value });

    expect([refused.status, refused.body.error]).toMatchObject([400, { code: 'invalid_value', param: 'x-job-end' }]);
  },
);
