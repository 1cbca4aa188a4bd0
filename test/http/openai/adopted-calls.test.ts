import { randomBytes } from 'node:crypto';
import { startApiProcess } from '../../support/api-process.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { maintain } from '../../support/maintain.ts';
import { until } from '../../support/until.ts';
import { untilRequested } from '../../support/until-requested.ts';
import { chatWith, hello } from './chat.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const retry = { 'x-stainless-retry-count': '1' };

interface Sent {
  fields?: Record<string, unknown>;
  headers?: Record<string, string>;
}

const countOf = async (table: string, team: GivenTeam): Promise<number> => {
  const { rows } = await gateway.current.deps.database.pool.query(
    `select count(*)::int as count from ${table} where team_id = $1`,
    [team.teamId],
  );
  return rows[0].count;
};

const isAbandoned = async (team: GivenTeam): Promise<boolean> => {
  const { rowCount } = await gateway.current.deps.database.pool.query(
    'select from abandoned_calls join calls using (call_id) where team_id = $1 and not adopted',
    [team.teamId],
  );
  return rowCount! > 0;
};

/** A request whose client leaves while its call runs, as a client does that times out. */
async function leave(
  team: GivenTeam,
  model: string,
  { fields = {}, headers = {} }: Sent = {},
  isUnderWay: () => Promise<unknown> = () => untilRequested(gateway, model),
): Promise<void> {
  const leaving = new AbortController();
  const request = fetch(`${gateway.current.url}/v1/chat/completions`, {
    method: 'post',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${team.key}`, ...headers },
    body: JSON.stringify({ model: team.modelGroup, messages: hello, ...fields }),
    signal: leaving.signal,
  });
  await isUnderWay();
  leaving.abort();
  await expect(request).rejects.toThrow();
}

async function givenAbandoned(model: string, sent?: Sent): Promise<GivenTeam> {
  const team = await given.team({ models: [model] });
  await leave(team, model, sent);
  await until(() => isAbandoned(team));
  return team;
}

afterEach(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));

test('a client that times out and retries receives the answer of its first call, and is charged once (spec 17.26, spec 18.7)', async () => {
  const model = 'sim-slow-6000-as-retried';
  const team = await givenAbandoned(model);

  const answer = await chatWith(gateway, team)({}, retry);

  expect(answer.status).toBe(200);
  expect(answer.body.choices[0].finish_reason).toBe('stop');
  const job = answer.headers.get('x-job-id')!;
  expect(answer.body.id).toBe(`chatcmpl-${answer.headers.get('x-call-id')}`);
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).status).toBe('completed');
  expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(1);
  expect([await countOf('calls', team), await countOf('jobs', team)]).toEqual([1, 1]);
  expect((await as(gateway, team).credits()).credits_used).toBe(1);
});

test('a retry that receives the answer of a call has the headers of the budget of its job (spec 18.7, spec 23.4)', async () => {
  const model = 'sim-slow-6000-as-budgeted';
  const team = await given.team({ models: [model], job_budget_defaults: { max_calls: 3, deadline_seconds: 600 } });
  await leave(team, model);
  await until(() => isAbandoned(team));

  const { status, headers } = await chatWith(gateway, team)({}, retry);

  expect([status, headers.get('x-job-remaining')]).toEqual([200, 'calls=2']);
  expect(headers.get('x-job-deadline')).toMatch(/Z$/);
  expect(await countOf('calls', team)).toBe(1);
});

test('a retry receives the answer of a call that has ended before, with the end of its job', async () => {
  const model = 'sim-slow-2000-as-ended';
  const sent = { headers: { 'x-external-task-id': unique('task'), 'x-job-end': 'call' } };
  const team = await givenAbandoned(model, sent);
  await until(async () => {
    const { rows } = await gateway.current.deps.database.pool.query('select status from calls where team_id = $1', [
      team.teamId,
    ]);
    return rows[0].status === 'succeeded';
  });

  const answer = await chatWith(gateway, team)({}, { ...retry, ...sent.headers });

  expect(answer.status).toBe(200);
  const job = answer.headers.get('x-job-id')!;
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).status).toBe('completed');
  expect([await countOf('calls', team), await countOf('jobs', team)]).toEqual([1, 1]);
  expect((await as(gateway, team).credits()).credits_used).toBe(1);
});

test('a client that times out twice receives the answer with its second retry, and is charged once', async () => {
  const model = 'sim-slow-6000-as-twice';
  const team = await givenAbandoned(model);
  await leave(team, model, { headers: retry }, () => until(async () => !(await isAbandoned(team))));
  await until(() => isAbandoned(team));

  const answer = await chatWith(gateway, team)({}, { 'x-stainless-retry-count': '2' });

  expect(answer.status).toBe(200);
  expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(1);
  expect([await countOf('calls', team), await countOf('jobs', team)]).toEqual([1, 1]);
  expect((await as(gateway, team).credits()).credits_used).toBe(1);
});

test('a retry after the process of its first call has died receives the call, and is charged once', async () => {
  const team = await given.team();
  const first = await chatWith(gateway, team)();
  // The process died before it sent the answer.
  const { pool } = gateway.current.deps.database;
  await pool.query(
    `update call_payloads p set awaited_by = 'a process that has died' from calls c where c.call_id = p.call_id and team_id = $1`,
    [team.teamId],
  );

  const answer = await chatWith(gateway, team)({}, retry);

  const { created: _, ...received } = answer.body;
  expect(first.body).toMatchObject(received);
  expect([await countOf('calls', team), await countOf('jobs', team)]).toEqual([1, 1]);
  expect((await as(gateway, team).credits()).credits_used).toBe(1);
});

test('a retry at a process that has exchanged the master keys meanwhile receives the call (spec 18.7)', async () => {
  const model = 'sim-slow-3000-as-rekeyed';
  const team = await givenAbandoned(model);
  const keys = { MASTER_KEY: `new-${randomBytes(32).toString('hex')}`, MASTER_KEY_PREVIOUS: gateway.current.masterKey };
  const api = await startApiProcess(gateway.current, keys);

  const answer = await chatWith({ current: { ...gateway.current, url: api.url } }, team)({}, retry);
  await api.end();

  expect(answer.status).toBe(200);
  expect([await countOf('calls', team), await countOf('jobs', team)]).toEqual([1, 1]);
});

test('a retry receives the failure of the first call', async () => {
  const model = 'sim-slow-4000-fail-400-as-failing';
  const team = await givenAbandoned(model);

  const answer = await chatWith(gateway, team)({}, retry);

  expect(answer.status).toBe(400);
  expect(answer.body.error.code).toBe('upstream_rejected');
  expect(await countOf('calls', team)).toBe(1);
  expect((await as(gateway, team).credits()).credits_used).toBe(0);
});

test('of many retries at once one receives the call, and each other one makes a call (spec 18.7)', async () => {
  const model = 'sim-slow-5000-as-many-retries';
  const team = await givenAbandoned(model);

  const answers = await Promise.all(Array.from({ length: 5 }, () => chatWith(gateway, team)({}, retry)));

  expect(new Set(answers.map(({ headers }) => headers.get('x-call-id'))).size).toBe(5);
  expect(await countOf('calls', team)).toBe(5);
  expect((await as(gateway, team).credits()).credits_used).toBe(5);
});

const first = { fields: { user: 'ann' }, headers: { 'x-external-task-id': 'task' } };
const unequal: [what: string, sent: Sent][] = [
  ['has no count of retries', first],
  ['has a count of 0', { ...first, headers: { ...first.headers, 'x-stainless-retry-count': '0' } }],
  ['has another body', { fields: { user: 'bob' }, headers: { ...first.headers, ...retry } }],
  ['is streamed', { fields: { ...first.fields, stream: true }, headers: { ...first.headers, ...retry } }],
  ['names another task', { ...first, headers: { 'x-external-task-id': 'another', ...retry } }],
  ['ends its job', { ...first, headers: { ...first.headers, ...retry, 'x-job-end': 'call' } }],
  ['has an Idempotency-Key', { ...first, headers: { ...first.headers, ...retry, 'idempotency-key': 'key' } }],
];

test.each(unequal)('a request that %s is a new call (spec 17.26, spec 18.7)', async (what, { fields, headers }) => {
  const model = `sim-slow-2000-as-${what.replaceAll(/\W+/g, '').toLowerCase()}`;
  const team = await givenAbandoned(model, first);

  const answer = await chatWith(gateway, team)(fields, headers);

  expect(answer.status).toBe(200);
  expect(await countOf('calls', team)).toBe(2);
});

test('a retry does not receive a call of more than 15 minutes ago, and maintenance deletes what is recorded of its client (spec 17.26, spec 18.7)', async () => {
  const team = await givenAbandoned('sim-slow-2000-as-old');
  const { pool } = gateway.current.deps.database;
  await pool.query(`update calls set created_at = created_at - interval '16 minutes' where team_id = $1`, [
    team.teamId,
  ]);
  await pool.query(`update abandoned_calls set abandoned_at = abandoned_at - interval '16 minutes'`);

  const answer = await chatWith(gateway, team)({}, retry);
  await maintain(gateway.current);

  expect(answer.status).toBe(200);
  expect(await countOf('calls', team)).toBe(2);
  expect(await isAbandoned(team)).toBe(false);
});

test('nothing is recorded of a client that waits for its answer', async () => {
  const team = await given.team();

  await chatWith(gateway, team)();

  expect(await isAbandoned(team)).toBe(false);
});
