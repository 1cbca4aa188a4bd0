import { randomUUID } from 'node:crypto';
import { closeCall } from '../../../src/db/calls/close-call.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { closeReceivers, startReceiver } from '../../webhook-delivery/receiver.ts';

const gateway = gatewayForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
const given = givenIn(gateway);
afterEach(closeReceivers);

const query = async (text: string, values: unknown[] = []) =>
  (await gateway.current.deps.database.pool.query(text, values)).rows;

/** Every table in which a text stands, by any of its columns: also in JSON, in arrays, and as plain bytes. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await query(
    `select table_name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
  );
  expect(tables.length).toBeGreaterThan(25);
  const found: string[] = [];
  for (const { table_name } of tables) {
    const rows = await query(
      `select from "${table_name}" t where to_jsonb(t)::text like '%' || $1 || '%' or to_jsonb(t)::text like '%' || encode(convert_to($1, 'UTF8'), 'hex') || '%'`,
      [text],
    );
    if (rows.length > 0) found.push(table_name);
  }
  return found;
}

/** Texts that stand nowhere else. */
const marked = (name: string) => `${name}-${randomUUID().slice(0, 8)}`;
const givenMarks = () => ({
  user: marked('user'),
  prompt: marked('prompt'),
  task: marked('task'),
  metadata: marked('metadata'),
  purpose: marked('purpose'),
  callMetadata: marked('callmetadata'),
  jobError: marked('joberror'),
  callError: marked('callerror'),
  reason: marked('reason'),
  receipt: marked('receipt'),
});
type Marks = ReturnType<typeof givenMarks>;

const everyEvent = [
  'job.created',
  'job.started',
  'job.completed',
  'job.failed',
  'job.cancelled',
  'call.completed',
  'call.failed',
];
const prefer = { prefer: 'respond-async' };

/** A team whose user has ended jobs of every kind: with each field that takes a text, in each way of making a call. */
async function givenJobs(marks: Marks): Promise<{ team: GivenTeam; jobs: string[] }> {
  const receiver = await startReceiver((response, { body }) => response.end(`${marks.receipt} ${body}`));
  const team = await given.team({ credits: 50, models: ['sim-echo-slow-200'] });
  expectOk(
    await as(gateway, team).post('/api/webhooks/register', {
      team_id: team.teamId,
      webhook_url: `${receiver.url}/hook`,
      events: everyEvent,
    }),
  );
  const messages = [{ role: 'user', content: marks.prompt }];
  const ofJob = { user_id: marks.user, external_task_id: marks.task, metadata: { of: marks.metadata } };
  const ofCall = { messages, purpose: marks.purpose, call_metadata: { of: marks.callMetadata } };
  const call = (job: string, headers = {}) =>
    as(gateway, team).call(job, ofCall, { 'idempotency-key': randomUUID(), ...headers });

  const completed = await given.job(team, ofJob);
  expectOk(await call(completed));
  expectOk(await as(gateway, team).stream(completed, ofCall));
  const accepted = await call(completed, prefer);
  expectOk(await as(gateway, team).get(`${accepted.headers.get('location')}?wait=30`));
  expectOk(await as(gateway, team).complete(completed, 'completed', { metadata: { later: marks.metadata } }));
  const failed = await given.job(team, ofJob);
  const { call_id } = (await call(failed, prefer)).body;
  await closeCall(gateway.current.deps.database, call_id, 'failed', marks.callError);
  await until(async () => (await query('select from call_attempts where call_id = $1', [call_id])).length > 0);
  await query('update call_attempts set error = $2 where call_id = $1', [call_id, marks.callError]);
  expectOk(await as(gateway, team).complete(failed, 'failed', { error_message: marks.jobError }));
  const cancelled = await given.job(team, ofJob);
  expectOk(await call(cancelled));
  expectOk(await as(gateway, team).post(`/api/jobs/${cancelled}/cancel`, { reason: marks.reason }));
  const single = expectOk(await as(gateway, team).single({ ...ofCall, ...ofJob })).job_id;
  const chat = await as(gateway, team).post(
    '/v1/chat/completions',
    { model: team.modelGroup, messages, user: marks.user, metadata: { of: marks.metadata } },
    { 'x-external-task-id': marks.task },
  );
  expectOk(chat);
  const ofTask = chat.headers.get('x-job-id')!;
  expectOk(await as(gateway, team).complete(ofTask));
  await until(async () => {
    const [{ open }] = await query(
      `select count(*)::int as open from webhook_deliveries d join webhooks w using (webhook_id) where w.team_id = $1 and d.status = 'pending'`,
      [team.teamId],
    );
    return open === 0;
  });
  return { team, jobs: [completed, failed, cancelled, single, ofTask] };
}

/** Answers under an Idempotency-Key end by themselves after a day: `spec 8.11`. */
const endsByItself = ['idempotency_keys'];

test('no table has any text of an erased user, in any column, whatever the user has done (spec 8.11, money 7.3)', async () => {
  const marks = givenMarks();
  const { team, jobs } = await givenJobs(marks);
  for (const [name, mark] of Object.entries(marks)) expect([name, await tablesWith(mark)]).not.toEqual([name, []]);
  const money = await query(
    'select t.*, a.credits_used from credit_transactions t join credit_accounts a using (team_id) where t.team_id = $1 order by created_at',
    [team.teamId],
  );

  const erased = await as(gateway, team).post(`/api/teams/${team.teamId}/erase`, { user_id: marks.user });

  expect(expectOk(erased)).toMatchObject({ jobs: jobs.length, open_jobs: 0 });
  for (const [name, mark] of Object.entries(marks))
    expect([name, (await tablesWith(mark)).filter((table) => !endsByItself.includes(table))]).toEqual([name, []]);
  expect(
    await query(
      'select t.*, a.credits_used from credit_transactions t join credit_accounts a using (team_id) where t.team_id = $1 order by created_at',
      [team.teamId],
    ),
  ).toEqual(money);
});

test('no table has a prompt or an answer of a job whose payloads were deleted (spec 3.20, money 7.2)', async () => {
  const marks = givenMarks();
  const { team, jobs } = await givenJobs(marks);
  expect(await tablesWith(marks.prompt)).toContain('call_payloads');

  for (const job of jobs) expectOk(await as(gateway, team).delete(`/api/jobs/${job}/payloads`));

  expect((await tablesWith(marks.prompt)).filter((table) => !endsByItself.includes(table))).toEqual([]);
  expect(await tablesWith(marks.purpose)).toContain('calls');
});
