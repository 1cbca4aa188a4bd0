import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn, unique } from '../../support/given.ts';
import { until } from '../../support/until.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const upstreamOf = (teamId: string) => gateway.current.simulator.registry.teams.get(teamId);
const sql = (text: string, values: unknown[] = []) => gateway.current.deps.database.pool.query(text, values);
const isClaimed = async (teamId: string) =>
  (await sql('select from team_registrations where team_id = $1', [teamId])).rowCount === 1;
const waiting = async () =>
  (await sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).rowCount;

/** What a team is to be made of: a model group, and an alias behind an access group. */
async function givenPlan() {
  const access = await given.accessGroup();
  const alias = await given.alias({ model_name: 'sim-2', access_groups: [access] });
  const organization_id = await given.organization();
  const group = await given.modelGroup(['sim-ok']);
  const body = { organization_id, team_id: unique('team'), model_groups: [group], access_groups: [access] };
  return { organization: organization_id, group, access, alias, body };
}
type Plan = Awaited<ReturnType<typeof givenPlan>>;

/** `work` while a statement of the test's own holds what others wait for. */
async function whileHeld<T>(held: string, values: unknown[], work: () => Promise<T>): Promise<T> {
  const holder = await gateway.current.deps.database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query(held, values);
    return await work();
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}

const changes: [string, (plan: Plan) => [path: string, change: object], upstream: object, allowed: string[]][] = [
  [
    'the members of its group',
    ({ group }) => [`model-groups/${group}`, { models: [{ model_name: 'sim-3' }] }],
    { models: ['sim-3', 'sim-2'], blocked: false },
    ['sim-3'],
  ],
  [
    'the status of its group',
    ({ group }) => [`model-groups/${group}`, { status: 'inactive' }],
    { models: ['sim-2'], blocked: false },
    [],
  ],
  [
    'the model of an alias',
    ({ alias }) => [`model-aliases/${alias}`, { model_name: 'sim-3' }],
    { models: ['sim-ok', 'sim-3'], blocked: false },
    ['sim-ok'],
  ],
  [
    'its access group',
    ({ access }) => [`model-access-groups/${access}`, { model_aliases: [] }],
    { models: ['sim-ok'], blocked: false },
    ['sim-ok'],
  ],
  [
    'the status of its organization',
    ({ organization }) => [`organizations/${organization}`, { status: 'suspended' }],
    { models: ['sim-ok', 'sim-2'], blocked: true },
    ['sim-ok'],
  ],
];
const make = (plan: Plan) => admin.post('/api/teams/create', plan.body);
const put = ([path, change]: [string, object]) => admin.put(`/api/${path}`, change);

test('a team that is not changed while it is registered is sent to the upstream once', async () => {
  const before = gateway.current.simulator.requests.length;

  expectOk(await make(await givenPlan()));

  const sent = gateway.current.simulator.requests.slice(before);
  expect(sent.map(({ path }) => path).filter((path) => path !== '/models')).toEqual(['/team/new', '/key/generate']);
});

test.each(changes)(
  'the upstream receives %s, changed while a team is registered',
  async (_, changeOf, upstream, allowed) => {
    const plan = await givenPlan();
    gateway.current.simulator.script('/team/new', 'sim-slow-700', 1);

    const making = make(plan);
    await until(() => isClaimed(plan.body.team_id));
    expectOk(await put(changeOf(plan)));

    expect(expectOk(await making).allowed_models).toEqual(allowed);
    expect(upstreamOf(plan.body.team_id)).toMatchObject(upstream);
  },
);

test.each(changes)(
  'the upstream receives %s, whose change is uncommitted when a team is written',
  async (_, changeOf, upstream) => {
    const plan = await givenPlan();
    const other = { ...plan, body: { ...plan.body, team_id: unique('other') } };
    expectOk(await make(other));

    const answers = await whileHeld(
      'insert into upstream_changes (team_id) values ($1)',
      [other.body.team_id],
      async () => {
        const changing = put(changeOf(plan));
        await until(waiting, (count) => count === 1);
        const making = make(plan);
        await Promise.race([making, until(waiting, (count) => count === 2)]);
        return [changing, making];
      },
    );

    (await Promise.all(answers)).forEach(expectOk);
    expect(upstreamOf(plan.body.team_id)).toMatchObject(upstream);
  },
);

test.each(changes)('the upstream receives %s, changed while a team is written', async (_, changeOf, upstream) => {
  const plan = await givenPlan();

  const answers = await whileHeld('lock table audit_log in share mode', [], async () => {
    const making = make(plan);
    await until(waiting, (count) => count === 1);
    const changing = put(changeOf(plan));
    await until(waiting, (count) => count === 2);
    return [making, changing];
  });

  (await Promise.all(answers)).forEach(expectOk);
  expect(upstreamOf(plan.body.team_id)).toMatchObject(upstream);
});

test('the upstream receives an alias whose change is uncommitted when a team is assigned to its access group', async () => {
  const plan = await givenPlan();
  const other = await given.team({ access_groups: [plan.access] });
  const team = await given.team();

  const answers = await whileHeld('insert into upstream_changes (team_id) values ($1)', [other.teamId], async () => {
    const changing = put([`model-aliases/${plan.alias}`, { model_name: 'sim-3' }]);
    await until(waiting, (count) => count === 1);
    const giving = put([`teams/${team.teamId}`, { access_groups: [plan.access] }]);
    await Promise.race([giving, until(waiting, (count) => count === 2)]);
    return [changing, giving];
  });

  (await Promise.all(answers)).forEach(expectOk);
  expect(upstreamOf(team.teamId)).toMatchObject({ models: ['sim-ok', 'sim-3'] });
});
