import { ask } from '../../support/ask.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, givenIn, unique } from '../../support/given.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

const upstreamOf = (teamId: string) => gateway.current.simulator.registry.teams.get(teamId);
const platform = () => ({ key: gateway.current.masterKey });
const create = (body: object) => ask(gateway.current.url, 'post', '/api/teams/create', { ...platform(), body });

test('a team begins with its credits, its models and its key', async () => {
  const organization_id = await given.organization();
  const group = await given.modelGroup(['sim-ok', 'sim-2']);
  const team_id = unique('team');

  const created = await create({ organization_id, team_id, model_groups: [group, group], credits_allocated: 5 });

  expect(created.status).toBe(200);
  expect(created.body).toMatchObject({
    team_id,
    organization_id,
    model_groups: [group],
    allowed_models: ['sim-ok', 'sim-2'],
    credits_allocated: 5,
    credits_remaining: 5,
    credit_limit: 5,
    virtual_key: expect.stringMatching(/^sk-[0-9A-Za-z]{48}$/),
  });
  expect(created.headers.get('cache-control')).toBe('no-store');
  const team = { organizationId: organization_id, teamId: team_id, key: created.body.virtual_key, modelGroup: group };
  const shown = await as(gateway, team).get(`/api/teams/${team_id}`);
  expect(shown.body.credits).toMatchObject({ credits_remaining: 5, virtual_key: team.key });
  const ledger = await as(gateway, team).get(`/api/teams/${team_id}/credits/transactions`);
  expect(ledger.body.transactions).toMatchObject([
    { transaction_type: 'allocation', credits_before: 0, credits_after: 5, reason: 'Initial allocation' },
  ]);
});

test('the upstream knows the team by its key, its models and its budget', async () => {
  const team = await given.team({ credits: 5, models: ['sim-ok'] });

  expect(upstreamOf(team.teamId)).toMatchObject({ models: ['sim-ok'], max_budget: 0.5, blocked: false });
  const keys = [...gateway.current.simulator.registry.keys.values()].filter((key) => key.team_id === team.teamId);
  expect(keys).toHaveLength(1);
});

test.each(['/team/new', '/key/generate'])('an upstream that refuses %s leaves no half of a team', async (path) => {
  const organization_id = await given.organization();
  const body = { organization_id, team_id: unique('team'), model_groups: [] };
  gateway.current.simulator.script(path, 'sim-fail-500', 1);

  const refused = await create(body);

  expect(refused).toMatchObject({ status: 500, body: { detail: 'Upstream registration failed' } });
  expect(upstreamOf(body.team_id)).toBeUndefined();
  expect((await ask(gateway.current.url, 'get', `/api/teams/${body.team_id}`, platform())).status).toBe(404);
  expect((await create(body)).status).toBe(200);
});

test('fifty at once make one team', async () => {
  const organization_id = await given.organization();
  const body = { organization_id, team_id: unique('team'), model_groups: [] };

  const answers = await Promise.all(Array.from({ length: 50 }, () => create(body)));

  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 400)]);
});

test('an allocation raises the balance, the limit and the budget upstream', async () => {
  const team = await given.team({ credits: 5 });

  const allocated = await given.admin('post', `/api/teams/${team.teamId}/credits/allocate`, {
    credits_amount: 10,
    reason: 'More',
  });

  expect(allocated).toMatchObject({ credits_before: 5, credits_after: 15, credits_remaining: 15, reason: 'More' });
  expect(await as(gateway, team).credits()).toMatchObject({ credits_allocated: 15, credit_limit: 15 });
  expect(upstreamOf(team.teamId)).toMatchObject({ max_budget: 1.5 });
});

test('model groups are replaced', async () => {
  const team = await given.team({ models: ['sim-ok'] });
  const group = await given.modelGroup(['sim-3']);

  const changed = await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups: [group] });

  expect(changed).toMatchObject({ team_id: team.teamId, model_groups: [group] });
  expect(upstreamOf(team.teamId)).toMatchObject({ models: ['sim-3'] });
});
