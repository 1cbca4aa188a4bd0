import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { sendHead } from '../support/send-head.ts';
import { until } from '../support/until.ts';

/** A change of a key takes effect at once, in every process. Changes are made here in the database, as another process would make them. */
const gateway = gatewayForTests();
const given = givenIn(gateway);

const change = (sql: string, ...values: unknown[]) => gateway.current.deps.database.pool.query(sql, values);
const endKey = (team: GivenTeam) =>
  change(`update virtual_keys set expires_at = now() where team_id = $1`, team.teamId);

const recorded = async (team: GivenTeam): Promise<number> => {
  const { rows } = await change('select count(*)::int as calls from calls where team_id = $1', team.teamId);
  return rows[0].calls;
};

/** A team with an open job. */
async function givenOpen(model: string) {
  const team = await given.team({ credits: 10, models: [model] });
  const { job_id } = expectOk(
    await as(gateway, team).post('/api/jobs/create', { team_id: team.teamId, job_type: 'report' }),
  );
  return { team, job: job_id as string };
}

/** The same, after one call. */
async function givenUsed(model = 'sim-ok') {
  const { team, job } = await givenOpen(model);
  expectOk(await as(gateway, team).call(job));
  return { team, job };
}

const completion = (team: GivenTeam) => ({
  model: team.modelGroup,
  messages: [{ role: 'user', content: 'Hello' }],
});

/** Requests that are accepted, and one for each reason of a refusal. In all of them the key is checked first. */
const requests: Record<string, (team: GivenTeam, job: string) => Promise<{ status: number; body: unknown }>> = {
  'a call': (team, job) => as(gateway, team).call(job),
  'a streamed call': (team, job) => as(gateway, team).stream(job),
  'a single call': (team) => as(gateway, team).single(),
  'a streamed single call': (team) => as(gateway, team).singleStream(),
  'a call with an invalid body': (team, job) => as(gateway, team).call(job, { messages: 'none' }),
  'a call of a job that does not exist': (team) => as(gateway, team).call('00000000-0000-4000-8000-000000000000'),
  'a call of a model that does not exist': (team, job) => as(gateway, team).call(job, { model_group: 'nothing' }),
  'a single call for another team': (team) => as(gateway, team).single({ team_id: 'another' }),
  'a call that names a job of no form': (team) => as(gateway, team).call('none'),
  'a chat completion': (team, job) =>
    as(gateway, team).post('/v1/chat/completions', completion(team), { 'X-Job-Id': job }),
  'a chat completion with an unknown response_format': (team) =>
    as(gateway, team).post('/v1/chat/completions', { ...completion(team), response_format: { type: 'none' } }),
};

describe.each(Object.entries(requests))('%s', (_name, send) => {
  test('with a key that has ended elsewhere is answered 401', async () => {
    const { team, job } = await givenUsed();
    await endKey(team);

    const refused = await send(team, job);

    expect(refused.status).toBe(401);
    expect(JSON.stringify(refused.body)).toMatch(/(Invalid|Incorrect) API key/);
    expect(await recorded(team)).toBe(1);
  });

  test('with a key of a team that was suspended elsewhere is answered 403 (spec 2.4)', async () => {
    const { team, job } = await givenUsed();
    await change(`update teams set status = 'suspended' where team_id = $1`, team.teamId);

    const refused = await send(team, job);

    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.body)).toContain('suspended');
    expect(await recorded(team)).toBe(1);
  });
});

test.each(['suspended', 'deleted'])(
  'a call with a key of a team whose organization was %s elsewhere is answered 403 and not made (spec 2.4)',
  async (status) => {
    const { team, job } = await givenUsed();
    await change('update organizations set status = $2 where organization_id = $1', team.organizationId, status);

    const refused = [await as(gateway, team).call(job), await as(gateway, team).single()];

    expect(refused.map((one) => one.status)).toEqual([403, 403]);
    expect(await recorded(team)).toBe(1);
  },
);

test('a stored answer to an Idempotency-Key is not returned to a key that has ended elsewhere', async () => {
  const { team } = await givenUsed();
  const headers = { 'idempotency-key': 'once' };
  expectOk(await as(gateway, team).single({}, headers));
  await endKey(team);

  const again = await as(gateway, team).single({}, headers);

  expect(again).toMatchObject({ status: 401, body: { detail: 'Invalid API key' } });
});

test('a limit of calls that was changed elsewhere applies to the next call, which counts once', async () => {
  const { team, job } = await givenUsed();
  const setLimit = (limit: number) => change('update teams set rpm_limit = $2 where team_id = $1', team.teamId, limit);
  const call = async () => {
    const { status, headers } = await as(gateway, team).call(job);
    return [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')];
  };

  await setLimit(3);
  expect(await call()).toEqual([200, '3', '1']);
  expect(await call()).toEqual([200, '3', '0']);
  expect(await call()).toEqual([429, '3', '0']);
  await setLimit(4);
  expect(await call()).toEqual([200, '4', '0']);
  await setLimit(2);
  expect(await call()).toEqual([429, '2', '0']);
  expect(await recorded(team)).toBe(4);
});

test.each([
  ['ended', endKey, 401],
  [
    'suspended',
    (team: GivenTeam) => change(`update teams set status = 'suspended' where team_id = $1`, team.teamId),
    403,
  ],
])('a call over the limit of its team, whose key is %s, is refused for its key', async (_what, end, status) => {
  const { team, job } = await givenUsed();
  await given.admin('put', `/api/teams/${team.teamId}`, { rpm_limit: 1 });
  expect(await as(gateway, team).call(job)).toMatchObject({ status: 429 });

  await end(team);

  expect(await as(gateway, team).call(job)).toMatchObject({ status });
});

test('a call with a body that is too large is refused for its body also when a setting of its team has just changed', async () => {
  const { team, job } = await givenUsed();
  await change('update teams set rpm_limit = 7 where team_id = $1', team.teamId);

  const refused = await as(gateway, team).call(job, { messages: [{ role: 'user', content: 'x'.repeat(10_485_760) }] });

  expect(refused).toMatchObject({ status: 413 });
});

test('a key is read once for calls that follow each other, and each time for other requests and with an Idempotency-Key', async () => {
  const { team, job } = await givenUsed();
  const { database } = gateway.current.deps;
  const query = database.query.bind(database);
  let sent: (string | undefined)[] = [];
  database.query = (statement, values) => {
    sent.push(statement.name);
    return query(statement, values);
  };
  const readsIn = async (send: () => Promise<{ status: number }>) => {
    sent = [];
    expect(await send()).toMatchObject({ status: 200 });
    return sent.filter((name) => name === 'find_team_by_key').length;
  };

  expect(await readsIn(() => as(gateway, team).call(job))).toBe(0);
  expect(await readsIn(() => as(gateway, team).stream(job))).toBe(0);
  expect(await readsIn(() => as(gateway, team).single())).toBe(0);
  expect(await readsIn(() => as(gateway, team).get(`/api/jobs/${job}`))).toBe(1);
  expect(await readsIn(() => as(gateway, team).single({}, { 'idempotency-key': 'read' }))).toBe(1);
  database.query = query;
});

test('a limit of tokens that was changed elsewhere applies to the next call', async () => {
  const { team, job } = await givenUsed();
  const setLimit = (limit: number) => change('update teams set tpm_limit = $2 where team_id = $1', team.teamId, limit);
  const call = async () => (await as(gateway, team).call(job)).status;

  await setLimit(1);
  expect(await call()).toBe(429);
  await setLimit(100_000);
  expect(await call()).toBe(200);
  expect(await recorded(team)).toBe(2);
});

test('a call whose key ends while the call runs is made once, and the next call is answered 401', async () => {
  const { team, job } = await givenUsed('sim-slow-5000');

  const answer = as(gateway, team).call(job);
  await until(async () => (await recorded(team)) === 2);
  await endKey(team);

  expect(await answer).toMatchObject({ status: 200 });
  expect(await as(gateway, team).call(job)).toMatchObject({ status: 401 });
  expect(await recorded(team)).toBe(2);
});

test('a call that fails after its key has ended is not made again', async () => {
  const { team, job } = await givenOpen('sim-slow-60000');

  const answer = as(gateway, team).call(job);
  await until(async () => (await recorded(team)) === 1);
  await endKey(team);
  await given.admin('post', `/api/jobs/${job}/cancel`);

  expect(await answer).toMatchObject({ status: 500, body: { detail: 'LLM call failed: cancelled' } });
  expect(await recorded(team)).toBe(1);
});

/** Makes a call, and does `meanwhile` between its authentication and its body. */
async function callWhose(team: GivenTeam, job: string, meanwhile: () => Promise<unknown>) {
  const body = { model_group: team.modelGroup, messages: [{ role: 'user', content: 'Hello' }] };
  const { sendBody } = await sendHead(`${gateway.current.url}/api/jobs/${job}/llm-call`, { key: team.key, body });
  await meanwhile();
  return sendBody();
}

test('a call whose key ends while its body arrives is answered 401 and not made', async () => {
  const { team, job } = await givenOpen('sim-ok');

  const refused = await callWhose(team, job, () => endKey(team));

  expect(refused).toMatchObject({ status: 401, body: { detail: 'Invalid API key' } });
  expect(await recorded(team)).toBe(0);
});

test('a call whose team gets another limit while its body arrives is made under that limit, and counts once', async () => {
  const { team, job } = await givenOpen('sim-ok');
  const setLimit = () => change('update teams set rpm_limit = 7 where team_id = $1', team.teamId);

  const { status, headers } = await callWhose(team, job, setLimit);

  expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([200, '7', '6']);
  expect(await recorded(team)).toBe(1);
});
