import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn, unique } from '../../support/given.ts';
import { waitingForLocks } from '../../support/locks.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const modelsUpstream = (teamId: string) => gateway.current.simulator.registry.teams.get(teamId)?.models;
const changesWaiting = async () =>
  (await gateway.current.deps.database.pool.query('select team_id from upstream_changes')).rows;

test('a change of members is sent to the upstream for every team of the model group', async () => {
  const one = await given.team({ models: ['sim-ok'] });
  const other = await given.team({ organizationId: one.organizationId, models: ['sim-2'] });
  await given.admin('put', `/api/teams/${other.teamId}/model-groups`, {
    model_groups: [other.modelGroup, one.modelGroup],
  });

  await given.admin('put', `/api/model-groups/${one.modelGroup}`, {
    models: [{ model_name: 'sim-3' }, { model_name: 'sim-4', is_active: false }],
  });

  expect(modelsUpstream(one.teamId)).toEqual(['sim-3']);
  expect(modelsUpstream(other.teamId)).toEqual(['sim-2', 'sim-3']);
});

test('a change of an alias is sent to the upstream for the teams that share an access group with it', async () => {
  const group_name = await given.accessGroup();
  const team = await given.team({ models: ['sim-ok'], access_groups: [group_name] });
  const stranger = await given.team({ models: ['sim-ok'] });
  const alias_name = unique('alias');
  const seen: unknown[] = [];
  const step = async (method: string, path: string, body?: unknown) => {
    await given.admin(method, path, body);
    seen.push(modelsUpstream(team.teamId));
  };

  await step('post', '/api/model-aliases/create', {
    alias_name,
    model_name: 'sim-2',
    fallbacks: ['sim-3'],
    access_groups: [group_name],
  });
  await step('put', `/api/model-aliases/${alias_name}`, { fallbacks: [] });
  await step('put', `/api/model-access-groups/${group_name}`, { model_aliases: [] });
  await step('put', `/api/model-aliases/${alias_name}`, { access_groups: [group_name] });
  await step('delete', `/api/model-access-groups/${group_name}`);

  expect(seen).toEqual([
    ['sim-ok', 'sim-2', 'sim-3'],
    ['sim-ok', 'sim-2'],
    ['sim-ok'],
    ['sim-ok', 'sim-2'],
    ['sim-ok'],
  ]);
  expect(modelsUpstream(stranger.teamId)).toEqual(['sim-ok']);
});

test('a change that the upstream refuses succeeds, and is sent again later', async () => {
  const team = await given.team({ models: ['sim-ok'] });
  gateway.current.simulator.script('/team/update', 'sim-fail-500', 1);

  const changed = await given.admin('put', `/api/model-groups/${team.modelGroup}`, {
    models: [{ model_name: 'sim-2' }],
  });

  expect(changed.models).toMatchObject([{ model_name: 'sim-2' }]);
  expect(modelsUpstream(team.teamId)).toEqual(['sim-ok']);
  expect(await changesWaiting()).toEqual([{ team_id: team.teamId }]);
});

test('a change records the affected teams in one order, without a deadlock with another change', async () => {
  const { pool } = gateway.current.deps.database;
  const last = await given.team({ teamId: unique('z') });
  const first = await given.team({ teamId: unique('a'), organizationId: last.organizationId });
  const note = 'insert into upstream_changes (team_id) values ($1)';
  const other = await pool.connect();

  await other.query(`begin; set local lock_timeout = '500ms'`);
  await other.query(note, [first.teamId]);
  const change = admin.put(`/api/organizations/${last.organizationId}`, { status: 'suspended' });
  await waitingForLocks(gateway.current, 1);
  await other.query(note, [last.teamId]).finally(() => other.query('rollback'));
  other.release();

  expectOk(await change);
});
