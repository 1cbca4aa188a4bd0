import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { until } from '../../support/until.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const upstreamOf = (teamId: string) => gateway.current.simulator.registry.teams.get(teamId);
beforeEach(() => gateway.current.simulator.clearScripts());

test('a team reads its own data only (spec 2.10)', async () => {
  const [team, other] = [await given.team(), await given.team()];

  expect((await as(gateway, team).get(`/api/teams/${team.teamId}`)).status).toBe(200);
  for (const path of ['', '/credits', '/credits/transactions', '/usage?period=2026-01']) {
    for (const id of [other.teamId, 'unheard-of']) {
      expect(await as(gateway, team).get(`/api/teams/${id}${path}`)).toMatchObject({
        status: 403,
        body: { detail: `API key does not belong to team '${id}'` },
      });
    }
    expect((await admin.get(`/api/teams/unheard-of${path}`)).status).toBe(404);
  }
});

test('the read of a team without a key is an error without other data', async () => {
  const team = await given.team();
  await gateway.current.deps.database.pool.query('delete from virtual_keys where team_id = $1', [team.teamId]);

  expect(await admin.get(`/api/teams/${team.teamId}`)).toMatchObject({
    status: 500,
    body: { detail: `Team '${team.teamId}' has no virtual key` },
  });
});

test('teams are listed with their total number, without their keys (spec 8.1)', async () => {
  const organizationId = await given.organization();
  const teams = [await given.team({ organizationId }), await given.team({ organizationId, credits: 9 })];
  expectOk(await admin.post(`/api/teams/${teams[0]!.teamId}/suspend`));

  const { body, text } = await admin.get(`/api/teams?organization_id=${organizationId}&limit=1&offset=1`);
  const suspended = (await admin.get(`/api/teams?organization_id=${organizationId}&status=suspended`)).body;

  expect(body).toMatchObject({ total: 2, teams: [{ team_id: teams[1]!.teamId, credits_remaining: 9 }] });
  expect(text).not.toContain('sk-');
  expect(suspended).toMatchObject({ total: 1, teams: [{ team_id: teams[0]!.teamId }] });
});

test('a suspended team is refused here and upstream until it is resumed (spec 2.4, spec 8.2)', async () => {
  const team = await given.team();
  const path = `/api/teams/${team.teamId}`;

  for (const time of ['once', 'again']) {
    const suspended = await admin.post(`${path}/suspend`);
    expect([time, suspended.body]).toMatchObject([time, { team_id: team.teamId, status: 'suspended' }]);
  }
  expect(await as(gateway, team).get(path)).toMatchObject({
    status: 403,
    body: { detail: `Team '${team.teamId}' is suspended` },
  });
  expect((await admin.get(path)).body.status).toBe('suspended');
  expect(upstreamOf(team.teamId)?.blocked).toBe(true);

  for (const time of ['once', 'again']) {
    expect([time, (await admin.post(`${path}/resume`)).body.status]).toEqual([time, 'active']);
  }
  expect((await as(gateway, team).get(path)).status).toBe(200);
  expect(upstreamOf(team.teamId)?.blocked).toBe(false);
  const actions = (await readAudit(gateway.current, team.teamId)).map(({ action }) => action);
  expect(actions).toEqual(['resumed_team', 'viewed_key', 'suspended_team', 'created_team']);
});

test('the model groups of a team are replaced as a whole, here and upstream (spec 7.7, spec 8.7)', async () => {
  const team = await given.team({ models: ['sim-ok'] });
  const groups = [await given.modelGroup(['sim-fast']), await given.modelGroup(['sim-echo'])];
  const path = `/api/teams/${team.teamId}/model-groups`;

  const changed = await admin.put(path, { model_groups: [groups[1], groups[0], groups[1]] });

  expect(changed.body).toMatchObject({ team_id: team.teamId, model_groups: [groups[1], groups[0]] });
  expect((await admin.get(`/api/teams/${team.teamId}`)).body.model_groups).toEqual([groups[1], groups[0]]);
  expect(upstreamOf(team.teamId)?.models).toEqual(['sim-echo', 'sim-fast']);

  expect((await admin.put(path, { model_groups: [groups[0], 'unheard-of'] })).status).toBe(404);
  expect((await admin.get(`/api/teams/${team.teamId}`)).body.model_groups).toEqual([groups[1], groups[0]]);

  expectOk(await admin.put(path, { model_groups: [] }));
  // To LiteLLM an empty list is every model.
  expect(upstreamOf(team.teamId)?.models).toEqual(['no-default-models']);
});

test('a change of a team that did not reach the upstream is sent with the next change (spec 8.3)', async () => {
  const team = await given.team({ models: ['sim-ok'] });
  const group = await given.modelGroup(['sim-fast']);
  gateway.current.simulator.script('/team/update', 'sim-fail-500', 1);

  expectOk(await admin.put(`/api/teams/${team.teamId}/model-groups`, { model_groups: [group] }));
  expect(upstreamOf(team.teamId)?.models).toEqual(['sim-ok']);

  expectOk(await admin.post(`/api/teams/${team.teamId}/suspend`));
  expect(upstreamOf(team.teamId)).toMatchObject({ models: ['sim-fast'], blocked: true });
});

test('after simultaneous changes of a team the upstream has the last state', async () => {
  const team = await given.team({ credits: 1 });

  const allocations = Array.from({ length: 20 }, () =>
    admin.post(`/api/teams/${team.teamId}/credits/allocate`, { credits_amount: 1 }),
  );
  for (const answer of await Promise.all(allocations)) expectOk(answer);

  const budget = await until(
    () => upstreamOf(team.teamId)?.max_budget,
    (seen) => seen === 2.1,
  );
  expect(budget).toBe(2.1);
  expect((await admin.get(`/api/teams/${team.teamId}/credits`)).body.credits_remaining).toBe(21);
});

test.each(['suspend', 'resume', 'rotate-key'])('%s of an unknown team is a 404', async (action) => {
  expect((await admin.post(`/api/teams/unheard-of/${action}`)).status).toBe(404);
});

test("routes for admins refuse a team's key", async () => {
  const team = await given.team();
  const own = as(gateway, team);

  for (const action of ['suspend', 'resume', 'rotate-key', 'credits/allocate', 'credits/adjust', 'credits/refund']) {
    expect([action, (await own.post(`/api/teams/${team.teamId}/${action}`, {})).status]).toEqual([action, 401]);
  }
  expect((await own.get('/api/teams')).status).toBe(401);
  expect((await own.get('/api/organizations')).status).toBe(401);
});
