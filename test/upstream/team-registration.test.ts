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
const failed = {
  code: 'upstream_registration_failed',
  status: 500,
  message: expect.stringMatching(/^Upstream registration failed: /),
};

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
  ['three credits at 0.10 USD', { credits_allocated: 3 }, 0.3],
  ['no credits', { credits_allocated: 0, credit_limit: 0 }, null],
  ['credits and no credit limit', { credit_limit: null }, null],
  ['credits and a budget in USD', { max_budget: '12.5' }, 12.5],
  ['a budget of 0 USD', { max_budget: '0' }, 0],
])('a team with %s is registered with the budget that follows from that', async (_, given, budget) => {
  const team = givenTeam(given);

  await registration().register(team);

  expect(teamUpstream(team)?.max_budget).toBe(budget);
});

test('a team without models may use none, although LiteLLM reads an empty list as all models', async () => {
  const team = givenTeam({ models: [] });

  await registration().register(team);

  expect(await callWith(team.virtual_key)).toBe(403);
});

test.each([
  ['/team/new', 'sim-fail-500', 'refused'],
  ['/team/new', 'sim-fail-400', 'refused'],
  ['/team/new', 'sim-stream-cut-0', 'executed without a response'],
  ['/team/new', 'sim-wrong-type', 'answered with HTML'],
  ['/key/generate', 'sim-fail-500', 'refused'],
  ['/key/generate', 'sim-reset', 'reset'],
  ['/key/generate', 'sim-stream-cut-0', 'executed without a response'],
])('a registration whose %s fails (%s: %s) leaves nothing, and can be repeated', async (path, as) => {
  const team = givenTeam();
  simulator.current.script(path, as, 1);

  await expect(registration().register(team)).rejects.toMatchObject(failed);
  expect(teamUpstream(team)).toBeUndefined();
  expect(await callWith(team.virtual_key)).toBe(401);

  await registration().register(team);
  expect(await callWith(team.virtual_key)).toBe(200);
});

test('a team whose key is refused is deleted again, even if the upstream cannot return the team', async () => {
  const team = givenTeam();
  simulator.current.script('/key/generate', 'sim-fail-500', 1);
  simulator.current.script('/team/info', 'sim-fail-500', 1);

  await expect(registration().register(team)).rejects.toMatchObject(failed);

  expect(teamUpstream(team)).toBeUndefined();
});

test('a successful response of /team/new without a team id is accepted', async () => {
  raw.answer = (response) => response.setHeader('content-type', 'application/json').end('{}');

  const registered = registration({ UPSTREAM_BASE_URL: raw.url }).register(givenTeam());

  await expect(registered).resolves.toBeUndefined();
});

test('a response of /team/new with another team id is refused', async () => {
  raw.answer = (response) => response.setHeader('content-type', 'application/json').end('{"team_id":"another"}');

  const registered = registration({ UPSTREAM_BASE_URL: raw.url }).register(givenTeam());

  await expect(registered).rejects.toMatchObject(failed);
});

test('a registration with an upstream that hangs fails', async () => {
  const team = givenTeam();
  simulator.current.script('/team/new', 'sim-hang', 1);

  await expect(registration().register(team)).rejects.toMatchObject(failed);
}, 12_000);

test('a registration with an unreachable upstream fails', async () => {
  const nowhere = registration({ UPSTREAM_BASE_URL: 'http://127.0.0.1:1' });

  await expect(nowhere.register(givenTeam())).rejects.toMatchObject(failed);
});

test('a registration replaces what an earlier try has left behind', async () => {
  const crashed = givenTeam();
  const again = { ...crashed, virtual_key: newKey(), models: ['sim-fast'] };
  await registration().register(crashed);

  await registration().register(again);

  expect(await callWith(crashed.virtual_key)).toBe(401);
  expect(await callWith(again.virtual_key, 'sim-fast')).toBe(200);
});

test('a registration fails if the id belongs to a team that is not ours, which stays unchanged', async () => {
  const team = givenTeam();
  await manage('/team/new', { team_id: team.proxy_team_id, team_alias: 'Theirs' });

  await expect(registration().register(team)).rejects.toMatchObject(failed);

  expect(teamUpstream(team)?.team_alias).toBe('Theirs');
  expect(await callWith(team.virtual_key)).toBe(401);
});

test('a registration can be retracted, also repeatedly', async () => {
  const team = givenTeam();
  await registration().register(team);

  await registration().retract(team);
  await registration().retract(team);

  expect(teamUpstream(team)).toBeUndefined();
  expect(await callWith(team.virtual_key)).toBe(401);
});

test('an update changes models, alias and budget', async () => {
  const team = givenTeam();
  await registration().register(team);

  await registration().update({ ...team, team_alias: null, models: ['sim-fast'], credits_allocated: 25 });

  expect(teamUpstream(team)).toMatchObject({ team_alias: null, models: ['sim-fast'], max_budget: 2.5 });
  expect(await callWith(team.virtual_key, 'sim-fast')).toBe(200);
});

test('a team that calls all the time is blocked and unblocked at once, although LiteLLM keeps teams in memory', async () => {
  const team = givenTeam();
  await registration().register(team);
  expect(await callWith(team.virtual_key)).toBe(200);

  await registration().update({ ...team, suspended: true });
  expect(await callWith(team.virtual_key)).toBe(401);

  await registration().update(team);
  expect(await callWith(team.virtual_key)).toBe(200);
});

test('the next update registers a team that the upstream has lost', async () => {
  const team = givenTeam();

  await registration().update({ ...team, suspended: true });
  expect(teamUpstream(team)).toMatchObject({ blocked: true, models: ['sim-ok'] });

  await registration().update(team);
  expect(await callWith(team.virtual_key)).toBe(200);
});

test('a rotated key replaces the old one at once without a grace period', async () => {
  const team = givenTeam();
  await registration().register(team);
  const rotated = { ...team, virtual_key: newKey() };

  await registration().addKey(rotated);
  await registration().endKey(team, team.virtual_key, 0);

  expect(await callWith(team.virtual_key)).toBe(401);
  expect(await callWith(rotated.virtual_key)).toBe(200);
});

test('with a grace period both keys work after a rotation, and the old one has an expiry', async () => {
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

test('a key whose end the upstream refused continues to work, and a repeated request ends it', async () => {
  const team = givenTeam();
  await registration().register(team);
  simulator.current.script('/key/delete', 'sim-fail-500', 1);

  await expect(registration().endKey(team, team.virtual_key, 0)).rejects.toMatchObject(failed);

  expect(await callWith(team.virtual_key)).toBe(200);
  await registration().endKey(team, team.virtual_key, 0);
  expect(await callWith(team.virtual_key)).toBe(401);
  await registration().endKey(team, team.virtual_key, 0);
});

const manageKey = (path: string) => (team: UpstreamTeam) =>
  manage(path, { key: team.virtual_key, keys: [team.virtual_key] });
/** What people and accidents do to a team at LiteLLM. */
const damages: [string, (team: UpstreamTeam) => Promise<unknown>][] = [
  ['was never registered', (team) => registration().retract(team)],
  ['was deleted with its keys', (team) => manage('/team/delete', { team_ids: [team.proxy_team_id] })],
  ['has lost its key', manageKey('/key/delete')],
  ['has a key that has expired', (team) => manage('/key/update', { key: team.virtual_key, duration: '0s' })],
  ['has a key for other models', (team) => manage('/key/update', { key: team.virtual_key, models: ['sim-fast'] })],
  ['has other models', (team) => manage('/team/update', { team_id: team.proxy_team_id, models: ['sim-fast'] })],
  ['has a key without budget', (team) => manage('/key/update', { key: team.virtual_key, max_budget: 0 })],
];

test.each(damages)('a team that %s is restored, also by two processes at once (spec 8.10)', async (_, damage) => {
  const team = givenTeam();
  await registration().register(team);
  await damage(team);
  expect(await callWith(team.virtual_key)).not.toBe(200);

  expect(await Promise.all([1, 2].map(() => registration().restore(team, false)))).toEqual([true, true]);

  expect(await callWith(team.virtual_key)).toBe(200);
  expect(teamUpstream(team)).toMatchObject({ models: ['sim-ok'], max_budget: 0.3, blocked: false });
});

test('a team or key that a person has blocked at LiteLLM stays blocked when the team is restored (spec 8.10)', async () => {
  const [team, other] = [givenTeam(), givenTeam()];
  for (const one of [team, other]) await registration().register(one);
  await manage('/team/block', { team_id: team.proxy_team_id });
  await manageKey('/key/block')(other);

  for (const one of [team, other]) await registration().restore(one, false);

  expect(await Promise.all([team, other].map(({ virtual_key }) => callWith(virtual_key)))).toEqual([401, 401]);
});

test('a team of the same id that the gateway has not registered is not restored, and stays as it is (spec 8.10)', async () => {
  const team = givenTeam();
  await manage('/team/new', { team_id: team.proxy_team_id, team_alias: 'Theirs' });

  await expect(registration().restore(team, false)).rejects.toMatchObject(failed);

  expect(teamUpstream(team)?.team_alias).toBe('Theirs');
});

test('with UPSTREAM_USD_PER_CREDIT=0 a team has no budget at the upstream (spec 8.3)', async () => {
  const team = givenTeam();

  await registration({ UPSTREAM_USD_PER_CREDIT: '0' }).register(team);

  expect(teamUpstream(team)?.max_budget).toBeNull();
});

test('the budget of a team is twice what it has spent when the worth of its credits is less (spec 8.3)', async () => {
  const team = givenTeam();
  await registration().register(team);
  teamUpstream(team)!.spend = 7;

  await registration().update(team);
  expect(teamUpstream(team)?.max_budget).toBe(14);
  await registration().restore(team, true);
  expect(teamUpstream(team)?.max_budget).toBe(28);
  await registration().update({ ...team, max_budget: '12.5' });
  expect(teamUpstream(team)?.max_budget).toBe(12.5);
});

test.each([
  [
    'LiteLLM',
    '{"error":{"message":"{\'error\': \'Organization is over its limit\'}","code":"400"}}',
    'Organization is over its limit',
  ],
  ['FastAPI', '{"detail":[{"loc":["body","models"],"msg":"Input should be a list"}]}', 'Input should be a list'],
  ['FastAPI, with an object', '{"detail":{"error":"Not allowed to do that"}}', 'Not allowed to do that'],
  ['a web server', '<html><h1>Bad gateway</h1></html>', '<html><h1>Bad gateway</h1></html>'],
  ['nothing', '', '/team/new was answered with 418'],
])('a registration that fails names what %s answered (spec 8.3)', async (_, body, shown) => {
  raw.answer = (response) => response.writeHead(418).end(body);

  const registered = registration({ UPSTREAM_BASE_URL: raw.url }).register(givenTeam());

  await expect(registered).rejects.toThrow(shown);
});

test('a registration that fails shows 300 characters of the answer and no key (spec 2.12, 8.3)', async () => {
  const team = givenTeam();
  const hash = 'a'.repeat(64);
  const message = `Received ${masterKey}, not ${team.virtual_key} (${hash}). ${'x'.repeat(400)}`;
  raw.answer = (response) => response.writeHead(400).end(JSON.stringify({ error: { message } }));

  const failure: Error = await registration({ UPSTREAM_BASE_URL: raw.url })
    .register(team)
    .catch((error) => error);

  expect(failure.message).toContain('Received [key], not [key] ([key]). xxx');
  expect(failure.message).not.toMatch(/sk-|aaaa/);
  expect(failure.message.length).toBeLessThan(400);
});

test('with UPSTREAM_TEAM_KEYS=off no request is sent', async () => {
  const team = givenTeam();
  const off = registration({ UPSTREAM_TEAM_KEYS: 'off' });

  await off.register(team);
  await off.update(team);
  expect(await off.restore(team, true)).toBe(false);
  await off.addKey(team);
  await off.endKey(team, newKey(), 0);
  await off.retract(team);

  expect(simulator.current.requests).toEqual([]);
});
