import { type Gateway, startGateway } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../support/given.ts';
import { type Answer, type Json, sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';

const log: Json[] = [];
let started: Gateway | undefined;
const gateway = {
  get current() {
    return started!;
  },
};
const given = givenIn(gateway);
beforeAll(async () => {
  started = await startGateway({ log: (line) => log.push(JSON.parse(line)) });
});
afterAll(() => started?.close());

const simulator = () => gateway.current.simulator;
const registry = () => simulator().registry;
const upstreamOf = (team: GivenTeam) => registry().teams.get(team.teamId);
const call = (team: GivenTeam) => as(gateway, team).single();
const manage = (path: string, body: unknown): Promise<Answer> =>
  sendRequest(simulator().url, 'post', path, { key: gateway.current.environment.UPSTREAM_MASTER_KEY, body });
const managed = (team: GivenTeam) =>
  simulator().requests.filter(
    ({ path, body }) => path !== '/models' && JSON.stringify(body ?? {}).includes(team.teamId),
  );
const linesOf = (team: GivenTeam) => log.filter(({ team_id }) => team_id === team.teamId);

test('a team that calls all the time is refused and served upstream at once when it is suspended and resumed (spec 8.2)', async () => {
  const team = await given.team({ credits: 50 });
  const upstreamStatus = async () => (await sendRequest(simulator().url, 'get', '/models', { key: team.key })).status;
  const seen: unknown[] = [];
  for (const action of ['resume', 'suspend', 'resume', 'suspend', 'resume']) {
    await given.admin('post', `/api/teams/${team.teamId}/${action}`);
    seen.push([action, await upstreamStatus(), (await call(team)).status]);
  }
  for (const status of ['suspended', 'active']) {
    await given.admin('put', `/api/organizations/${team.organizationId}`, { status });
    seen.push([status, await upstreamStatus(), (await call(team)).status]);
  }

  const [works, refused] = [
    [200, 200],
    [401, 403],
  ];
  expect(seen).toEqual([
    ['resume', ...works],
    ['suspend', ...refused],
    ['resume', ...works],
    ['suspend', ...refused],
    ['resume', ...works],
    ['suspended', ...refused],
    ['active', ...works],
  ]);
});

test.each<[string, (team: GivenTeam) => unknown]>([
  ['a team that LiteLLM has lost with its key', (team) => manage('/team/delete', { team_ids: [team.teamId] })],
  ['a key that was deleted there', (team) => manage('/key/delete', { keys: [team.key] })],
  ['a key that has expired there', (team) => manage('/key/update', { key: team.key, duration: '0s' })],
  ['models that were taken away there', (team) => manage('/team/update', { team_id: team.teamId, models: ['none'] })],
])(
  '%s is made again by the first calls, once for all of them, and none of them fails (spec 8.10)',
  async (_, damage) => {
    const team = await given.team({ credits: 100 });
    await damage(team);
    simulator().clearRequests();

    const answers = await Promise.all(Array.from({ length: 30 }, () => call(team)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const paths = managed(team).map(({ path }) => path);
    expect(paths.filter((path) => path === '/key/generate')).toHaveLength(1);
    expect(paths.filter((path) => path === '/team/new').length).toBeLessThanOrEqual(1);
    simulator().clearRequests();
    expectOk(await call(team));
    expect(managed(team).map(({ path }) => path)).toEqual([]);
  },
);

test('a team that is suspended, and one whose key a person has blocked, are not made again upstream (spec 8.10)', async () => {
  const [suspended, blocked] = [await given.team(), await given.team()];
  const job = await given.job(suspended);
  await given.admin('post', `/api/teams/${suspended.teamId}/suspend`);
  await manage('/team/delete', { team_ids: [suspended.teamId] });
  await manage('/key/block', { key: blocked.key });

  const answers = [await as(gateway, suspended).call(job), await call(blocked), await call(blocked)];

  expect(answers.map(({ status }) => status)).toEqual([403, 500, 500]);
  expect(upstreamOf(suspended)).toBeUndefined();
});

test('a refused master key is tried once in ten seconds, however many calls fail (spec 8.10)', async () => {
  const team = await given.team({ credits: 100 });
  await manage('/key/delete', { keys: [team.key] });
  simulator().clearRequests();
  simulator().script('/team/info', 'sim-fail-401', 100);

  const answers = await Promise.all(Array.from({ length: 20 }, () => call(team)));
  simulator().clearScripts();

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500]));
  expect(simulator().requestsFor({ path: '/team/info' })).toHaveLength(1);
});

test('a team whose calls cost more than its credits are worth goes on to call (spec 8.3)', async () => {
  const team = await given.team({ credits: 3, models: ['sim-cost-2000000'] });

  const answers = [await call(team), await call(team), await call(team)];

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(upstreamOf(team)!.spend).toBeGreaterThan(0.3);
});

test('a budget that was chosen for the team is not raised: its calls fail as over budget, which needs attention (spec 17.24, 19.49)', async () => {
  const team = await given.team({ credits: 50, max_budget: 0.01, models: ['sim-cost-20000', 'sim-ok'] });
  expectOk(await call(team));

  const refused = await call(team);
  const openAi = await sendRequest(gateway.current.url, 'post', '/v1/chat/completions', {
    key: team.key,
    body: { model: team.modelGroup, messages: [{ role: 'user', content: 'Tell me about rivers' }] },
  });

  expect(refused).toMatchObject({
    status: 500,
    body: { detail: 'LLM call failed: a budget at the upstream is spent' },
  });
  expect(openAi).toMatchObject({
    status: 500,
    body: { error: { code: 'upstream_over_budget', type: 'server_error' } },
  });
  expect(openAi.headers.get('x-should-retry')).toBe('false');
  expect(upstreamOf(team)?.max_budget).toBe(0.01);
  expect(simulator().requestsFor({ model: 'sim-ok', key: team.key })).toEqual([]);
  const items = await until(
    async () =>
      (await given.admin('get', '/api/attention')).items.filter(
        ({ kind, link }: Json) => kind === 'upstream_over_budget' && link.id === team.teamId,
      ),
    (found) => found.length > 0,
  );
  expect(items).toMatchObject([{ severity: 'critical', detail: expect.stringMatching(/^2 calls failed/) }]);
});

test('each request to a model that fails is one line in the log, without text, and its attempt has the status (spec 4.2)', async () => {
  const team = await given.team({ models: ['sim-fail-503', 'sim-reset', 'sim-fail-401'] });
  const secret = unique('secret');
  const job = await given.job(team);

  const answer = await as(gateway, team).call(job, { messages: [{ role: 'user', content: secret }] });

  const lines = linesOf(team).filter(({ model }) => model);
  expect(lines).toMatchObject([
    { level: 40, model: 'sim-fail-503', failure: 'error', status: 503, job_id: job },
    { level: 40, model: 'sim-reset', failure: 'error', connection: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) },
    {
      level: 40,
      model: 'sim-fail-401',
      failure: 'misconfigured',
      status: 401,
      type: 'authentication_error',
      code: '401',
    },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${secret}|simulated|${team.key}`));
  expect(answer.body.detail).toBe('LLM call failed: the upstream rejected its credential');
  const { calls } = await given.admin('get', `/api/jobs/${job}/calls`);
  expect(calls[0].attempts.map(({ error }: Json) => error)).toEqual([
    'the upstream answered with status 503',
    expect.stringMatching(/^the upstream could not be reached \((?:ECONNRESET|UND_ERR_SOCKET)\)$/),
    'the upstream rejected its credential (401)',
  ]);
});
