import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { maintain } from '../support/maintain.ts';
import { until } from '../support/until.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const primary = 'sim-slow-4000-fail-503';
const upstreamOf = (team: GivenTeam) => gateway.current.simulator.registry.teams.get(team.teamId);

const changes: [string, (team: GivenTeam) => Promise<unknown>, object][] = [
  [
    'its team is suspended',
    (team) => given.admin('post', `/api/teams/${team.teamId}/suspend`),
    { blocked: true, models: [primary, 'sim-ok'] },
  ],
  [
    'its organization is suspended',
    (team) => given.admin('put', `/api/organizations/${team.organizationId}`, { status: 'suspended' }),
    { blocked: true, models: [primary, 'sim-ok'] },
  ],
  [
    'its team loses the model group',
    (team) => given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups: [] }),
    { blocked: false, models: ['no-default-models'] },
  ],
  [
    'its model group loses its models',
    (team) => given.admin('put', `/api/model-groups/${team.modelGroup}`, { models: [{ model_name: 'sim-fast' }] }),
    { blocked: false, models: ['sim-fast'] },
  ],
  [
    'its key is rotated',
    (team) => given.admin('post', `/api/teams/${team.teamId}/rotate-key`, {}),
    { blocked: false, models: [primary, 'sim-ok'] },
  ],
];

test.each(changes)(
  'a call in flight uses its fallback although %s, and the upstream receives the change afterwards (spec 7.11)',
  async (_, change, after) => {
    const team = await given.team({ models: [primary, 'sim-ok'] });
    const job = await given.job(team);

    const call = as(gateway, team).call(job);
    await until(() => gateway.current.simulator.requestsFor({ model: primary, key: team.key }).length === 1);
    await change(team);

    expectOk(await call);
    await maintain(gateway.current);
    expect(upstreamOf(team)).toMatchObject(after);
    const keys = [...gateway.current.simulator.registry.keys.values()].filter((key) => key.team_id === team.teamId);
    expect(keys).toHaveLength(1);
  },
);
