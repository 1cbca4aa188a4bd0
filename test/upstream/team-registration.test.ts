import type { UpstreamTeam } from '../../src/litellm/registration-requests.ts';
import { createTeamRegistration } from '../../src/litellm/team-registration.ts';
import { createLog } from '../../src/log.ts';
import { chat, send, simulatorForTests } from '../simulator/client.ts';
import { rawUpstreamForTests } from './raw-upstream.ts';

const masterKey = 'sk-simulator-master';
const simulator = simulatorForTests({ masterKey });
const raw = rawUpstreamForTests();
const registration = (settings = {}) =>
  createTeamRegistration(
    {
      UPSTREAM_BASE_URL: simulator.url,
      UPSTREAM_MASTER_KEY: masterKey,
      UPSTREAM_TEAM_KEYS: 'litellm',
      UPSTREAM_USD_PER_CREDIT: '0.10',
      ...settings,
    },
    createLog('silent', 'test'),
  );

let counter = 0;
function givenTeam(rest: Partial<UpstreamTeam> = {}): UpstreamTeam {
  counter += 1;
  const id = `team-${counter}`;
  return {
    team_id: id,
    proxy_team_id: `${id} upstream`,
    team_alias: 'Review',
    organization_id: 'acme',
    proxy_organization_id: null,
    suspended: false,
    models: ['sim-ok'],
    max_budget: null,
    credits_allocated: 3,
    credit_limit: 3,
    virtual_key: newKey(),
    ...rest,
  };
}
const newKey = () => `sk-${crypto.randomUUID().replaceAll('-', '')}`;

const teamUpstream = (team: UpstreamTeam) => simulator.current.registry.teams.get(team.proxy_team_id);
const callWith = async (key: string, model = 'sim-ok') => (await chat(simulator, model, {}, key)).status;
const manage = (path: string, body: unknown) => send(`${simulator.url}${path}`, body, { key: masterKey });
const failed = { code: 'upstream_registration_failed', status: 500, message: 'Upstream registration failed' };

beforeEach(() => {
  simulator.current.clearScripts();
  simulator.current.clearRequests();
});

test('a team is registered with its models, its budget and its own key', async () => {
  const team = givenTeam({ proxy_organization_id: 'acme upstream' });

  await registration().register(team);

  expect(teamUpstream(team)).toMatchObject({
    team_alias: 'Review',
    models: ['sim-ok'],
    max_budget: 0.3,
    blocked: false,
    metadata: { team_id: team.team_id, organization_id: 'acme', proxy_organization_id: 'acme upstream' },
  });
  expect(await callWith(team.virtual_key)).toBe(200);
  expect(await callWith(team.virtual_key, 'sim-fast')).toBe(403);
});

test.each([
  ['three tenths of a dollar, not 0.30000000000000004', { credits_allocated: 3 }, 0.3],
  ['no credits, no budget', { credits_allocated: 0, credit_limit: 0 }, null],
  ['an unlimited team is not stopped by what it was given once', { credit_limit: null }, null],
  ['a budget in USD counts instead of the credits', { max_budget: '12.5' }, 12.5],
  ['a budget of nothing is one', { max_budget: '0' }, 0],
])('the budget: %s', async (_, given, budget) => {
  const team = givenTeam(given);

  await registration().register(team);

  expect(teamUpstream(team)?.max_budget).toBe(budget);
});

test('a team without a model may use none, where LiteLLM takes an empty list for all', async () => {
  const team = givenTeam({ models: [] });

  await registration().register(team);

  expect(await callWith(team.virtual_key)).toBe(403);
});

test.each([
  ['/team/new', 'sim-fail-500', 'refused'],
  ['/team/new', 'sim-fail-400', 'refused'],
  ['/team/new', 'sim-stream-cut-0', 'made, and not heard of'],
  ['/team/new', 'sim-wrong-type', 'answered with a page'],
  ['/key/generate', 'sim-fail-500', 'refused'],
  ['/key/generate', 'sim-reset', 'broken off'],
  ['/key/generate', 'sim-stream-cut-0', 'made, and not heard of'],
])('%s %s (%s): nothing is left, and the same again works', async (path, as) => {
  const team = givenTeam();
  simulator.current.script(path, as, 1);

  await expect(registration().register(team)).rejects.toMatchObject(failed);
  expect(teamUpstream(team)).toBeUndefined();
  expect(await callWith(team.virtual_key)).toBe(401);

  await registration().register(team);
  expect(await callWith(team.virtual_key)).toBe(200);
});

test('a team whose key is refused is taken back by an upstream that cannot say whose it is', async () => {
  const team = givenTeam();
  simulator.current.script('/key/generate', 'sim-fail-500', 1);
  simulator.current.script('/team/info', 'sim-fail-500', 1);

  await expect(registration().register(team)).rejects.toMatchObject(failed);

  expect(teamUpstream(team)).toBeUndefined();
});

test('an upstream that makes what is asked for need not say so', async () => {
  raw.answer = (response) => response.setHeader('content-type', 'application/json').end('{}');

  const registered = registration({ UPSTREAM_BASE_URL: raw.url }).register(givenTeam());

  await expect(registered).resolves.toBeUndefined();
});

test('an upstream that makes another team than was asked for is refused', async () => {
  raw.answer = (response) => response.setHeader('content-type', 'application/json').end('{"team_id":"another"}');

  const registered = registration({ UPSTREAM_BASE_URL: raw.url }).register(givenTeam());

  await expect(registered).rejects.toMatchObject(failed);
});

test('an upstream that hangs is given up', async () => {
  const team = givenTeam();
  simulator.current.script('/team/new', 'sim-hang', 1);

  await expect(registration().register(team)).rejects.toMatchObject(failed);
}, 12_000);

test('an upstream that is not there is refused at once', async () => {
  const nowhere = registration({ UPSTREAM_BASE_URL: 'http://127.0.0.1:1' });

  await expect(nowhere.register(givenTeam())).rejects.toMatchObject(failed);
});

test('what a crash left of an earlier try is replaced', async () => {
  const crashed = givenTeam();
  const again = { ...crashed, virtual_key: newKey(), models: ['sim-fast'] };
  await registration().register(crashed);

  await registration().register(again);

  expect(await callWith(crashed.virtual_key)).toBe(401);
  expect(await callWith(again.virtual_key, 'sim-fast')).toBe(200);
});

test("somebody else's team of that id stays as it is", async () => {
  const team = givenTeam();
  await manage('/team/new', { team_id: team.proxy_team_id, team_alias: 'Theirs' });

  await expect(registration().register(team)).rejects.toMatchObject(failed);

  expect(teamUpstream(team)?.team_alias).toBe('Theirs');
  expect(await callWith(team.virtual_key)).toBe(401);
});

test('a registration is taken back, once or twice', async () => {
  const team = givenTeam();
  await registration().register(team);

  await registration().retract(team);
  await registration().retract(team);

  expect(teamUpstream(team)).toBeUndefined();
  expect(await callWith(team.virtual_key)).toBe(401);
});

test('changes of models, alias and budget arrive', async () => {
  const team = givenTeam();
  await registration().register(team);

  await registration().update({ ...team, team_alias: null, models: ['sim-fast'], credits_allocated: 25 });

  expect(teamUpstream(team)).toMatchObject({ team_alias: null, models: ['sim-fast'], max_budget: 2.5 });
  expect(await callWith(team.virtual_key, 'sim-fast')).toBe(200);
});

test('a suspended team is blocked until it is resumed', async () => {
  const team = givenTeam();
  await registration().register(team);

  await registration().setSuspended({ ...team, suspended: true });
  expect(await callWith(team.virtual_key)).toBe(401);

  await registration().setSuspended(team);
  expect(await callWith(team.virtual_key)).toBe(200);
});

test('a team that the upstream has lost is registered by the next change', async () => {
  const team = givenTeam();

  await registration().update({ ...team, suspended: true });
  expect(teamUpstream(team)).toMatchObject({ blocked: true, models: ['sim-ok'] });

  await registration().setSuspended(team);
  expect(await callWith(team.virtual_key)).toBe(200);
});

test('a new key takes the place of the old one', async () => {
  const team = givenTeam();
  await registration().register(team);
  const rotated = { ...team, virtual_key: newKey() };

  await registration().addKey(rotated);
  await registration().endKey(team, team.virtual_key, 0);

  expect(await callWith(team.virtual_key)).toBe(401);
  expect(await callWith(rotated.virtual_key)).toBe(200);
});

test('with a period of grace both keys serve, and the old one has an end', async () => {
  const team = givenTeam();
  await registration().register(team);
  const rotated = { ...team, virtual_key: newKey() };

  await registration().addKey(rotated);
  await registration().endKey(team, team.virtual_key, 3_600);

  expect(await callWith(team.virtual_key)).toBe(200);
  expect(await callWith(rotated.virtual_key)).toBe(200);
  const { json } = await send(`${simulator.url}/key/info?key=${team.virtual_key}`, undefined, { key: masterKey });
  const { expires } = json.info as { expires: string };
  expect(Date.parse(expires) - Date.now()).toBeLessThanOrEqual(3_600_000);
});

test('a key that the upstream will not end serves on, and ends when it is told again', async () => {
  const team = givenTeam();
  await registration().register(team);
  simulator.current.script('/key/delete', 'sim-fail-500', 1);

  await expect(registration().endKey(team, team.virtual_key, 0)).rejects.toMatchObject(failed);

  expect(await callWith(team.virtual_key)).toBe(200);
  await registration().endKey(team, team.virtual_key, 0);
  expect(await callWith(team.virtual_key)).toBe(401);
  await registration().endKey(team, team.virtual_key, 0);
});

test('where registration is off nothing is sent', async () => {
  const team = givenTeam();
  const off = registration({ UPSTREAM_TEAM_KEYS: 'off' });

  await off.register(team);
  await off.update(team);
  await off.setSuspended(team);
  await off.addKey(team);
  await off.endKey(team, newKey(), 0);
  await off.retract(team);

  expect(simulator.current.requests).toEqual([]);
});
