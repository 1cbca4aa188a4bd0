import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const uncached = { cached_input_price_per_million: null, cache_write_price_per_million: null };

const resolve = async (team: GivenTeam, name: string) =>
  expectOk(await admin.get(`/api/model-groups/${encodeURIComponent(name)}/resolve?team_id=${team.teamId}`));

test('a model group that the team has resolves to its active models in the order in which a call tries them (spec 19.68)', async () => {
  const group = unique('group');
  await given.admin('post', '/api/model-groups/create', {
    group_name: group,
    models: [
      { model_name: 'sim-second', priority: 1, input_price_per_million: 0.1, output_price_per_million: 0.2 },
      { model_name: 'sim-off', priority: 0, is_active: false },
      { model_name: 'sim-first', priority: 0 },
    ],
  });
  const team = await given.team();
  await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups: [group] });

  expect(await resolve(team, group)).toEqual({
    group_name: group,
    team_id: team.teamId,
    allowed: true,
    reason: null,
    via: 'group',
    access_groups: [],
    members: [
      { model: 'sim-first', position: 0, input_price_per_million: null, output_price_per_million: null, ...uncached },
      { model: 'sim-second', position: 1, input_price_per_million: 0.1, output_price_per_million: 0.2, ...uncached },
    ],
    would_request: 'sim-first',
  });
});

test("a team's alias resolves to its models, with the access groups through which the team has the alias (spec 19.68)", async () => {
  const access = [await given.accessGroup(), await given.accessGroup()].sort();
  const alias = await given.alias({ access_groups: access, model_name: 'sim-ok', fallbacks: ['sim-other'] });
  const team = await given.team({ access_groups: access, models: ['sim-group'] });

  expect(await resolve(team, alias)).toMatchObject({
    allowed: true,
    via: 'alias',
    access_groups: access,
    members: [{ model: 'sim-ok' }, { model: 'sim-other' }],
    would_request: 'sim-ok',
  });
});

test('a name with which a call would be refused has the reason of that refusal (spec 19.68)', async () => {
  const team = await given.team();
  const other = await given.team();
  const inactive = await given.modelGroup();
  await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups: [team.modelGroup, inactive] });
  await given.admin('put', `/api/model-groups/${inactive}`, { status: 'inactive' });
  const job = await given.job(team);

  for (const name of [other.modelGroup, inactive, unique('unknown')]) {
    const call = await as(gateway, team).call(job, { model_group: name });
    expect(call.status).toBe(403);
    expect(await resolve(team, name)).toMatchObject({
      allowed: false,
      reason: call.body.detail,
      via: null,
      members: [],
      would_request: null,
    });
  }
});

test('a resolution for an unknown team is a 404, and one without a team a 422', async () => {
  const { modelGroup } = await given.team();

  expect((await admin.get(`/api/model-groups/${modelGroup}/resolve?team_id=nobody`)).status).toBe(404);
  expect((await admin.get(`/api/model-groups/${modelGroup}/resolve`)).status).toBe(422);
});
