import { randomUUID } from 'node:crypto';
import { resolution } from '../../src/db/models/resolve-model.ts';
import { statement } from '../../src/db/sql/statement.ts';
import { type RefusalCode, refuse } from '../../src/errors.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { unique } from '../support/given.ts';

const { database } = await databaseForTests({ poolSize: 2, stallTimeoutMs: 5_000 });

const run = async (text: string, values: unknown[]) => {
  await database.pool.query(text, values);
};

async function givenTeam(): Promise<string> {
  const team = unique('team');
  await run("insert into organizations (organization_id, name) values ($1, 'An organization')", [team]);
  await run('insert into teams (team_id, organization_id, proxy_team_id) values ($1, $1, $1)', [team]);
  return team;
}

interface Member {
  model: string;
  priority?: number;
  active?: boolean;
  prices?: [input: string, output: string];
}

/** A model group of these members, assigned to these teams. */
async function givenGroup(
  members: Member[],
  { teams = [] as string[], name = unique('group'), status = 'active' } = {},
) {
  const id = randomUUID();
  await run('insert into model_groups (model_group_id, group_name, status) values ($1, $2, $3)', [id, name, status]);
  for (const [position, { model, priority = position, active = true, prices = [null, null] }] of members.entries())
    await run('insert into model_group_members values ($1, $2, $3, $4, $5, $6, $7)', [
      id,
      model,
      priority,
      position,
      active,
      ...prices,
    ]);
  for (const team of teams)
    await run('insert into team_model_groups (team_id, model_group_id, position) values ($1, $2, 0)', [team, id]);
  return name;
}

/** An alias for this model, in access groups of these states, each with these teams. */
async function givenAlias(
  model: string,
  {
    fallbacks = [] as string[],
    teams = [] as string[],
    name = unique('alias'),
    status = 'active',
    access = ['active'],
  } = {},
) {
  const id = randomUUID();
  await run(
    `insert into model_aliases (model_alias_id, alias_name, model_name, fallbacks, status, input_price_per_million)
     values ($1, $2, $3, $4, $5, 0.10)`,
    [id, name, model, fallbacks, status],
  );
  for (const state of access) {
    const group = randomUUID();
    await run('insert into model_access_groups (model_access_group_id, group_name, status) values ($1, $2, $3)', [
      group,
      group,
      state,
    ]);
    await run('insert into model_access_group_aliases values ($1, $2)', [group, id]);
    for (const team of teams) await run('insert into team_access_groups values ($1, $2)', [team, group]);
  }
  return name;
}

interface Resolved {
  model_group_used: string | null;
  candidates: { model: string; inputPerMillion: string | null; outputPerMillion: string | null }[] | null;
  refusal: RefusalCode | null;
}

const sql = statement('resolve', `with ${resolution} select * from resolved`);

async function resolve(team: string, name: string, vectors_kept_minutes: number | null = null) {
  const rows = await database.query<Resolved>(sql, {
    call_id: null,
    team_id: team,
    requested_model: name,
    vectors_kept_minutes,
    most_unfinished: null,
  });
  expect(rows).toHaveLength(1);
  const { candidates, ...rest } = rows[0]!;
  return { ...rest, candidates, models: candidates?.map(({ model }) => model) };
}

const unpriced = { inputPerMillion: null, outputPerMillion: null };

test('a model group resolves to its active members, by priority and then in the order given (spec 7.8)', async () => {
  const team = await givenTeam();
  const group = await givenGroup(
    [
      { model: 'late', priority: 5 },
      { model: 'z', priority: 1 },
      { model: 'a', priority: 1 },
      { model: 'off', priority: 0, active: false },
      { model: 'first', priority: 0, prices: ['0.0000001', '12.50'] },
    ],
    { teams: [team] },
  );

  expect(await resolve(team, group)).toMatchObject({
    model_group_used: group,
    refusal: null,
    candidates: [
      { model: 'first', inputPerMillion: '0.0000001', outputPerMillion: '12.50' },
      { model: 'z', ...unpriced },
      { model: 'a', ...unpriced },
      { model: 'late', ...unpriced },
    ],
  });
});

test('an alias resolves to its model and its fallbacks in order, each with the price of the alias', async () => {
  const team = await givenTeam();
  const alias = await givenAlias('primary', { fallbacks: ['z', 'a'], teams: [team] });

  expect(await resolve(team, alias)).toMatchObject({
    model_group_used: null,
    refusal: null,
    candidates: [
      { model: 'primary', inputPerMillion: '0.10', outputPerMillion: null },
      { model: 'z', inputPerMillion: '0.10', outputPerMillion: null },
      { model: 'a', inputPerMillion: '0.10', outputPerMillion: null },
    ],
  });
});

test('an alias takes precedence over a model group of the same name (spec 4.1)', async () => {
  const team = await givenTeam();
  const name = await givenGroup([{ model: 'of-the-group' }], { teams: [team] });
  await givenAlias('of-the-alias', { name, teams: [team] });

  expect(await resolve(team, name)).toMatchObject({ model_group_used: null, models: ['of-the-alias'] });
});

test.each([
  ['inactive', { status: 'inactive' }, 'model_group_unusable'],
  ['in an inactive access group', { access: ['inactive'] }, 'model_group_denied'],
  ['in no access group', { access: [] }, 'model_group_denied'],
])(
  'an alias that is %s is refused, and a model group of its name is used instead (spec 7.5)',
  async (_why, state, refusal) => {
    const team = await givenTeam();
    const alone = await givenAlias('of-the-alias', { teams: [team], ...state });
    const name = await givenGroup([{ model: 'of-the-group' }], { teams: [team] });
    await givenAlias('of-the-alias', { name, teams: [team], ...state });

    expect(await resolve(team, alone)).toMatchObject({ refusal });
    expect(await resolve(team, name)).toMatchObject({
      model_group_used: name,
      models: ['of-the-group'],
      refusal: null,
    });
  },
);

test('an alias in several access groups of a team is resolved once if one of them is active', async () => {
  const team = await givenTeam();
  const alias = await givenAlias('primary', { teams: [team], access: ['inactive', 'active', 'active'] });

  expect(await resolve(team, alias)).toMatchObject({ models: ['primary'], refusal: null });
});

test('an alias in an access group of another team is denied (spec 7.5)', async () => {
  const [team, other] = [await givenTeam(), await givenTeam()];
  const alias = await givenAlias('primary', { teams: [other] });

  expect(await resolve(team, alias)).toMatchObject({ refusal: 'model_group_denied' });
  expect(await resolve(other, alias)).toMatchObject({ refusal: null });
});

test.each([
  ['there is no group of the name', undefined, 'model_group_unusable'],
  ['the group is not the team’s', { members: [{ model: 'm' }], mine: false }, 'model_group_denied'],
  [
    'the group is not the team’s, and inactive',
    { members: [{ model: 'm' }], mine: false, status: 'inactive' },
    'model_group_denied',
  ],
  ['the group is inactive', { members: [{ model: 'm' }], status: 'inactive' }, 'model_group_unusable'],
  ['the group has no member', { members: [] }, 'model_group_empty'],
  ['the group has no active member', { members: [{ model: 'm', active: false }] }, 'model_group_empty'],
] as const)('a name is refused when %s (spec 7.10)', async (_when, group, refusal) => {
  const team = await givenTeam();
  const name = unique('requested');
  if (group) {
    const { members, mine = true, status = 'active' } = { mine: true, status: 'active', ...group };
    await givenGroup([...members], { name, status, teams: mine ? [team] : [] });
  }

  expect(await resolve(team, name)).toMatchObject({ refusal });
});

test('a name with other case or blanks does not resolve', async () => {
  const team = await givenTeam();
  const group = await givenGroup([{ model: 'm' }], { teams: [team] });
  const alias = await givenAlias('m', { teams: [team] });

  for (const name of [group.toUpperCase(), ` ${group}`, alias.toUpperCase(), `${alias} `]) {
    expect(await resolve(team, name)).toMatchObject({ refusal: 'model_group_unusable' });
  }
});

test('the refusals of a model have the status and the text of their clause (spec 4.1)', () => {
  const refusals = [
    refuse('model_group_denied', 't', 'g'),
    refuse('model_group_unusable', 'g'),
    refuse('model_group_empty', 'g'),
  ].map(({ status, message }) => ({ status, message }));

  expect(refusals).toEqual([
    { status: 403, message: "Team 't' does not have access to model group 'g'" },
    { status: 403, message: "Model group 'g' not found or inactive" },
    { status: 403, message: "No active models configured for group 'g'" },
  ]);
});

test('embeddings resolve to the first model alone, and to all where these are the same model (spec 30.4)', async () => {
  const team = await givenTeam();
  const group = await givenGroup([{ model: 'first' }, { model: 'second' }], { teams: [team] });
  const alias = await givenAlias('primary', { fallbacks: ['z'], teams: [team] });

  const [ofGroup, ofAlias] = [await resolve(team, group, 15), await resolve(team, alias, 15)];
  await run('update model_groups set embedding_fallbacks = true where group_name = $1', [group]);
  await run('update model_aliases set embedding_fallbacks = true where alias_name = $1', [alias]);

  expect([ofGroup.models, ofAlias.models]).toEqual([['first'], ['primary']]);
  expect((await resolve(team, group, 15)).models).toEqual(['first', 'second']);
  expect((await resolve(team, alias, 15)).models).toEqual(['primary', 'z']);
});
