import pg from 'pg';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../support/given.ts';
import { type Json, sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { litellmForTests } from './litellm.ts';

/** At LiteLLM's prices an answer costs 0.000024 USD. */
const litellm = litellmForTests(['sim-tokens-7', 'sim-ok']);
let started: Gateway | undefined;
const gateway = {
  get current() {
    return started!;
  },
};
const given = givenIn(gateway);

beforeAll(async () => {
  const { url, masterKey } = litellm.current;
  started = await startGateway({ settings: { UPSTREAM_BASE_URL: `${url}/v1/`, UPSTREAM_MASTER_KEY: masterKey } });
}, 120_000);
afterAll(() => started?.close());

const messages = [{ role: 'user', content: 'Tell me about rivers' }];
const send = (method: string, path: string, key?: string, body?: unknown) =>
  sendRequest(litellm.current.url, method, path, { key, body });
const manage = async (path: string, body: unknown): Promise<Json> =>
  expectOk(await send('post', path, litellm.current.masterKey, body));
/** A request with the key of the team, past the gateway. */
const direct = async (key: string, model = 'sim-tokens-7'): Promise<number> =>
  (await send('post', '/v1/chat/completions', key, { model, messages })).status;
const call = async (team: GivenTeam): Promise<number> => (await as(gateway, team).single()).status;
const givenTeam = (fields: Record<string, unknown> = {}) =>
  given.team({ credits: 100, models: ['sim-tokens-7'], ...fields });
const teamAtLitellm = async ({ teamId }: GivenTeam): Promise<Json> =>
  expectOk(await send('get', `/team/info?team_id=${teamId}`, litellm.current.masterKey)).team_info;

/** A change that LiteLLM takes longer than two seconds for is sent after the answer. */
const isSent = async () =>
  (await gateway.current.deps.database.pool.query('select from upstream_changes')).rowCount === 0;

test('LiteLLM refuses and serves a team that calls all the time at once when it, or its organization, is suspended and resumed', async () => {
  const team = await givenTeam();
  const organization = `/api/organizations/${team.organizationId}`;
  const seen = [[await direct(team.key), await call(team)]];
  for (const change of [
    () => given.admin('post', `/api/teams/${team.teamId}/suspend`),
    () => given.admin('post', `/api/teams/${team.teamId}/resume`),
    () => given.admin('post', `/api/teams/${team.teamId}/suspend`),
    () => given.admin('post', `/api/teams/${team.teamId}/resume`),
    () => given.admin('put', organization, { status: 'suspended' }),
    () => given.admin('put', organization, { status: 'active' }),
  ]) {
    await change();
    await until(isSent);
    seen.push([await direct(team.key), await call(team)]);
  }

  const [works, refused] = [
    [200, 200],
    [401, 403],
  ];
  expect(seen).toEqual([works, refused, works, refused, works, refused, works]);
});

test('a change of model groups, of the budget and of the key is in effect at LiteLLM at once', async () => {
  const team = await givenTeam();
  await direct(team.key);

  await given.admin('put', `/api/teams/${team.teamId}/model-groups`, {
    model_groups: [await given.modelGroup(['sim-ok'])],
  });
  await until(isSent);
  const ofModels = [await direct(team.key), await direct(team.key, 'sim-ok')];
  await given.admin('post', `/api/teams/${team.teamId}/credits/allocate`, { credits_amount: 100 });
  await until(isSent);
  const { max_budget } = await teamAtLitellm(team);
  const { virtual_key } = await given.admin('post', `/api/teams/${team.teamId}/rotate-key`);
  await until(isSent);
  const ofKeys = [await direct(team.key, 'sim-ok'), await direct(virtual_key, 'sim-ok')];

  expect([ofModels, max_budget, ofKeys]).toEqual([[403, 200], 20, [401, 200]]);
});

test('a creation that fails leaves nothing at LiteLLM, and the same team can be created afterwards', async () => {
  const team_id = unique('team');
  await manage('/team/new', { team_id, team_alias: 'Theirs' });
  const body = {
    organization_id: await given.organization(),
    team_id,
    model_groups: [await given.modelGroup(['sim-tokens-7'])],
    credits_allocated: 5,
  };
  const create = () =>
    sendRequest(gateway.current.url, 'post', '/api/teams/create', { key: gateway.current.masterKey, body });

  const refused = await create();
  await manage('/team/delete', { team_ids: [team_id] });
  const created = expectOk(await create());

  expect(refused).toMatchObject({
    status: 500,
    body: {
      detail: expect.stringMatching(
        /^Upstream registration failed: \/team\/new was answered with 400: .*already exists/,
      ),
    },
  });
  expect(await direct(created.virtual_key)).toBe(200);
});

test.each<[string, (team: GivenTeam) => Promise<unknown>]>([
  ['a team that was deleted in LiteLLM', ({ teamId }) => manage('/team/delete', { team_ids: [teamId] })],
  ['a key that was deleted there', ({ key }) => manage('/key/delete', { keys: [key] })],
  ['a key that has expired there', ({ key }) => manage('/key/update', { key, duration: '1s' })],
  [
    'models that were taken away there',
    ({ teamId }) => manage('/team/update', { team_id: teamId, models: ['sim-ok'] }),
  ],
  ['models of the key there', ({ key }) => manage('/key/update', { key, models: ['sim-ok'] })],
  ['a budget that a person set there', ({ teamId }) => manage('/team/update', { team_id: teamId, max_budget: 1e-9 })],
  ['a budget of the key there', ({ key }) => manage('/key/update', { key, max_budget: 1e-9 })],
])('%s is set right by the calls that LiteLLM refuses, and none of them fails (spec 8.10)', async (_, damage) => {
  const team = await givenTeam();
  expect(await direct(team.key)).toBe(200);
  await damage(team);
  await expectRefused(team);

  const statuses = await Promise.all(Array.from({ length: 10 }, () => call(team)));

  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await direct(team.key)).toBe(200);
});

/** A key that expires within the second, and spending that is counted after an answer, take a moment. */
async function expectRefused(team: GivenTeam): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) if ((await direct(team.key)) !== 200) return;
  throw new Error('LiteLLM did not refuse the team');
}

test('after a reset of the database of LiteLLM every team is registered by its next call (spec 8.10)', async () => {
  const teams = [await givenTeam(), await givenTeam()];
  const client = new pg.Client({ connectionString: litellm.current.databaseUrl });
  await client.connect();
  await client.query('truncate "LiteLLM_TeamTable", "LiteLLM_VerificationToken" cascade');
  await client.end();

  expect(await Promise.all(teams.map(call))).toEqual([200, 200]);
  expect((await teamAtLitellm(teams[1]!)).models).toEqual(['sim-tokens-7']);
});

test('a team or key that a person has blocked in LiteLLM stays blocked (spec 8.10)', async () => {
  const [team, other] = [await givenTeam(), await givenTeam()];
  await manage('/team/update', { team_id: team.teamId, blocked: true });
  await manage('/key/block', { key: other.key });

  expect([await call(team), await call(other), await call(other)]).toEqual([500, 500, 500]);
});

test('a budget that was chosen for a team is not raised, and its calls fail as over budget (spec 17.24)', async () => {
  const team = await givenTeam({ max_budget: 0.000001 });
  await direct(team.key);
  await expectRefused(team);

  const answer = await sendRequest(gateway.current.url, 'post', '/v1/chat/completions', {
    key: team.key,
    body: { model: team.modelGroup, messages },
  });

  expect(answer).toMatchObject({ status: 500, body: { error: { code: 'upstream_over_budget' } } });
});

test('a model that LiteLLM does not have is named when a group is made of it, and its calls are misconfigured (spec 7.12, 17.24)', async () => {
  const { warnings } = await given.admin('post', '/api/model-groups/create', {
    group_name: unique('group'),
    display_name: 'A group',
    models: [{ model_name: 'sim-tokens-7' }, { model_name: 'gone' }],
  });
  const team = await givenTeam({ models: ['gone'] });

  const answer = await sendRequest(gateway.current.url, 'post', '/v1/chat/completions', {
    key: team.key,
    body: { model: team.modelGroup, messages },
  });

  expect(warnings).toEqual([expect.stringContaining("'gone'")]);
  expect(answer).toMatchObject({ status: 500, body: { error: { code: 'upstream_misconfigured' } } });
});

test('with a master key that LiteLLM does not know, teams are refused with its words, and the health names the upstream (spec 8.3, 14.1)', async () => {
  const { url, masterKey } = litellm.current;
  const own = await startGateway({
    worker: false,
    settings: { UPSTREAM_BASE_URL: url, UPSTREAM_MASTER_KEY: `${masterKey}x` },
  });
  const there = givenIn({ current: own });
  const refused = await there.team().catch((error: Error) => error);
  const health = (await sendRequest(own.url, 'get', '/health')).body;
  await own.close();

  expect(String(refused)).toContain('Authentication Error, Invalid API key provided');
  expect(String(refused)).not.toContain(masterKey);
  expect(health.dependencies.upstream).toBe('down');
});
