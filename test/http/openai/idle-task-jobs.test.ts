import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';
import { chatWith } from './chat.ts';

const gateway = gatewayForTests({ settings: { TASK_JOB_IDLE: '1s' } });
const given = givenIn(gateway);

const lookUp = { type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } };
const read = async (team: GivenTeam, job: string) => expectOk(await as(gateway, team).get(`/api/jobs/${job}`));
const untilEnded = (team: GivenTeam, job: string) =>
  until(
    () => read(team, job),
    ({ status }) => status !== 'in_progress' && status !== 'pending',
  );

test.each([
  ['an answer', 'completed', null, 1, {}],
  ['tool calls', 'failed', 'Job timed out', 0, { tools: [lookUp], tool_choice: 'required' }],
])(
  'an idle job of a task whose last call has %s is %s (spec 17.7, spec 18.6)',
  async (_what, status, error_message, credits, fields) => {
    const team = await given.team();
    const answer = await chatWith(gateway, team)(fields, { 'x-external-task-id': unique('task') });

    const ended = await untilEnded(team, answer.headers.get('x-job-id')!);

    expect(ended).toMatchObject({ status, error_message });
    expect((await as(gateway, team).credits()).credits_used).toBe(credits);
    expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
  },
);

test('a job that its client created for a task keeps the idle time of other jobs (spec 18.6)', async () => {
  const team = await given.team();
  const task = unique('task');
  const created = await given.job(team, { external_task_id: task });
  const chat = chatWith(gateway, team);
  expect((await chat({}, { 'x-external-task-id': task })).headers.get('x-job-id')).toBe(created);
  const other = await chat({}, { 'x-external-task-id': unique('task') });

  await untilEnded(team, other.headers.get('x-job-id')!);

  expect((await read(team, created)).status).toBe('in_progress');
});
