import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn, unique } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { type Answer, sendRequest } from '../../support/send-request.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

const send = (method: string, path: string, body?: unknown) =>
  sendRequest(gateway.current.url, method, `/api/model-groups${path}`, { key: gateway.current.masterKey, body });
const create = (fields: Record<string, unknown> = {}) =>
  send('post', '/create', { group_name: unique('group'), models: [{ model_name: 'sim-ok' }], ...fields });
/** The entry as it is read: what is doubtful about it is only in the answer to the change. */
const entryIn = (answer: Answer) => {
  const { warnings: _, ...entry } = expectOk(answer);
  return entry;
};
const created = async (fields: Record<string, unknown> = {}) => entryIn(await create(fields));

const member = (model_name: string, priority: number, fields: Record<string, unknown> = {}) => ({
  model_name,
  priority,
  is_active: true,
  input_price_per_million: null,
  output_price_per_million: null,
  cached_input_price_per_million: null,
  cache_write_price_per_million: null,
  ...fields,
});

test('a model group is created, read, listed, and its creation is audited (spec 7.1)', async () => {
  const group_name = unique('group');

  const group = await created({ group_name, display_name: 'Fast', description: 'For chat' });

  expect(group).toEqual({
    model_group_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    extra_fields: [],
    blocked_fields: [],
    max_output_tokens: null,
    embedding_fallbacks: false,
    group_name,
    display_name: 'Fast',
    description: 'For chat',
    status: 'active',
    models: [member('sim-ok', 0)],
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(expectOk(await send('get', `/${group_name}`))).toEqual(group);
  expect(expectOk(await send('get', ''))).toContainEqual(group);
  expect(await readAudit(gateway.current, group_name)).toEqual([
    { action: 'created_model_group', resource_type: 'model_group', user_id: null, details: { models: ['sim-ok'] } },
  ]);
});

test('members of a model group are ordered by priority, then as they were sent; a model is a member once (spec 7.8)', async () => {
  const models = [
    { model_name: 'z', priority: 1 },
    { model_name: 'b', priority: 0 },
    { model_name: 'a', priority: 0, is_active: false },
    { model_name: 'b', priority: 7 },
  ];

  const group = await created({ models });

  expect(group.models).toEqual([member('b', 0), member('a', 0, { is_active: false }), member('z', 1)]);
  expect(expectOk(await send('get', `/${group.group_name}`)).models).toEqual(group.models);
});

test('members without a priority are in the order of the array (spec 7.8)', async () => {
  const group = await created({ models: [{ model_name: 'z' }, { model_name: 'a' }, { model_name: 'm' }] });

  expect(group.models).toEqual([member('z', 0), member('a', 1), member('m', 2)]);
});

test.each([0, 1e-7, 0.1, 2.5, 0.075, 123456789.012345, 999999999.999999, 1e9])(
  'the price %d of a member is stored exactly (spec 1.15, spec 7.9)',
  async (price) => {
    const prices = { input_price_per_million: price, output_price_per_million: price };

    const group = await created({ models: [{ model_name: 'sim-ok', ...prices }] });

    expect(group.models).toEqual([member('sim-ok', 0, prices)]);
    expect(expectOk(await send('get', `/${group.group_name}`)).models).toEqual(group.models);
  },
);

test.each([
  ['-0.000001', 'greater_than_equal'],
  ['1e400', 'float_type'],
  ['"1"', 'float_type'],
  ['true', 'float_type'],
  ['1000000000.01', 'less_than_equal'],
  ['0.30000000000000004', 'value_error'],
  ['1e-300', 'value_error'],
])('the price %s of a member is refused as %s (spec 1.15, spec 7.9)', async (price, type) => {
  const raw = `{"group_name":"${unique('group')}","models":[{"model_name":"m","input_price_per_million":${price}}]}`;

  const answer = await sendRequest(gateway.current.url, 'post', '/api/model-groups/create', {
    key: gateway.current.masterKey,
    headers: { 'content-type': 'application/json' },
    raw,
  });

  expect(answer).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'models', 0, 'input_price_per_million'], type }] },
  });
});

test.each([
  [{ group_name: undefined }, ['body', 'group_name'], 'missing'],
  [{ group_name: '' }, ['body', 'group_name'], 'string_too_short'],
  [{ group_name: 'x'.repeat(256) }, ['body', 'group_name'], 'string_too_long'],
  [{ group_name: 'a\nb' }, ['body', 'group_name'], 'string_pattern_mismatch'],
  [{ models: 'gpt-4o' }, ['body', 'models'], 'list_type'],
  [{ models: ['gpt-4o'] }, ['body', 'models', 0], 'model_attributes_type'],
  [{ models: [{}] }, ['body', 'models', 0, 'model_name'], 'missing'],
  [{ models: [{ model_name: 'm', priority: -1 }] }, ['body', 'models', 0, 'priority'], 'greater_than_equal'],
  [{ models: [{ model_name: 'm', priority: 0.5 }] }, ['body', 'models', 0, 'priority'], 'int_type'],
  [{ models: [{ model_name: 'm', priority: 2_147_483_648 }] }, ['body', 'models', 0, 'priority'], 'less_than_equal'],
  [{ models: [{ model_name: 'm', is_active: 1 }] }, ['body', 'models', 0, 'is_active'], 'bool_type'],
  [{ display_name: 7 }, ['body', 'display_name'], 'string_type'],
  [{ display_name: 'x'.repeat(256) }, ['body', 'display_name'], 'string_too_long'],
  [{ description: 'x'.repeat(2_001) }, ['body', 'description'], 'string_too_long'],
])('a model group with %j is refused (spec 7.12)', async (fields, loc, type) => {
  const answer = await create(fields);

  expect(answer.status).toBe(422);
  expect(answer.body.detail).toEqual([{ loc, type, msg: expect.any(String) }]);
});

test('simultaneous creations of one name create one model group', async () => {
  const group_name = unique('group');

  const answers = await Promise.all(Array.from({ length: 50 }, () => create({ group_name })));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === 400);
  expect(refused).toHaveLength(49);
  expect(refused[0]!.body).toEqual({
    detail: `Model group '${group_name}' already exists`,
    code: 'model_group_exists',
  });
  expect(await readAudit(gateway.current, group_name)).toHaveLength(1);
});

test.each(['toString', '__proto__', 'a/b', 'naïve ☃', "it's", '%2e', ' a '])(
  'a model group can be named %j',
  async (name) => {
    const group = await created({ group_name: name });

    expect(expectOk(await send('get', `/${encodeURIComponent(name)}`))).toEqual(group);
  },
);

test('names of model groups that differ in case are different (spec 1.6)', async () => {
  const name = unique('case');

  const groups = [await created({ group_name: name }), await created({ group_name: name.toUpperCase() })];

  const read = [await send('get', `/${name}`), await send('get', `/${name.toUpperCase()}`)];
  expect(read.map(expectOk)).toEqual(groups);
});

test('a change of a model group replaces the named fields only (spec 7.4)', async () => {
  const group = await created({
    display_name: 'Old',
    description: 'Old',
    models: [{ model_name: 'a' }, { model_name: 'b' }],
  });
  const path = `/${group.group_name}`;

  const members = entryIn(await send('put', path, { models: [{ model_name: 'b' }, { model_name: 'c' }] }));
  const rest = entryIn(await send('put', path, { description: null, display_name: 'New', status: 'inactive' }));

  expect(members).toEqual({ ...group, models: [member('b', 0), member('c', 1)], updated_at: expect.any(String) });
  expect(rest).toEqual({
    ...members,
    display_name: 'New',
    description: null,
    status: 'inactive',
    updated_at: expect.any(String),
  });
  expect(expectOk(await send('get', path))).toEqual(rest);
  const inactive = expectOk(await send('get', '?status=inactive'));
  expect(inactive).toContainEqual(rest);
  expect(expectOk(await send('get', '?status=active'))).not.toContainEqual(rest);
  expect((await readAudit(gateway.current, group.group_name)).map(({ action }) => action)).toEqual([
    'updated_model_group',
    'updated_model_group',
    'created_model_group',
  ]);
});

test('after simultaneous changes a model group has the members of one of them', async () => {
  const { group_name } = await created();
  const names = Array.from({ length: 20 }, (_, index) => [`m${index}`, `n${index}`]);

  const answers = await Promise.all(
    names.map((pair) => send('put', `/${group_name}`, { models: pair.map((model_name) => ({ model_name })) })),
  );

  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  const { models } = expectOk(await send('get', `/${group_name}`));
  expect(names).toContainEqual(models.map((one: { model_name: string }) => one.model_name));
});

test('an unknown model group is a 404', async () => {
  const detail = "Model group 'nobody' not found";

  for (const answer of [
    await send('get', '/nobody'),
    await send('put', '/nobody', { display_name: 'x' }),
    await send('delete', '/nobody'),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { detail } });
  }
});

test('a model group is deleted, and its name can be used again', async () => {
  const { group_name } = await created();

  const deleted = expectOk(await send('delete', `/${group_name}`));

  expect(deleted).toEqual({ message: `Model group '${group_name}' deleted successfully` });
  expect((await send('get', `/${group_name}`)).status).toBe(404);
  expect((await create({ group_name })).status).toBe(200);
  expect((await readAudit(gateway.current, group_name)).map(({ action }) => action)).toEqual([
    'created_model_group',
    'deleted_model_group',
    'created_model_group',
  ]);
});

test('a model group that is assigned to a team cannot be deleted (spec 7.1)', async () => {
  const { modelGroup } = await given.team();

  const answer = await send('delete', `/${modelGroup}`);

  expect(answer).toMatchObject({ status: 400, body: { detail: `Model group '${modelGroup}' is assigned to a team` } });
  expect(expectOk(await send('get', `/${modelGroup}`)).models).toEqual([member('sim-ok', 0)]);
});

test('the list of model groups has pages (spec 7.1)', async () => {
  const newest = [await created(), await created(), await created()].reverse();

  const pages = [expectOk(await send('get', '?limit=2')), expectOk(await send('get', '?limit=1&offset=2'))];

  expect(pages.flat()).toEqual(newest);
  expect((await send('get', '?limit=0')).status).toBe(422);
  expect((await send('get', '?status=asleep')).body.detail[0]).toMatchObject({ type: 'literal_error' });
});

test('model groups are for admins only (spec 7.1)', async () => {
  const team = await given.team();
  const asTeam = await sendRequest(gateway.current.url, 'get', '/api/model-groups', { key: team.key });
  const asNobody = await sendRequest(gateway.current.url, 'get', '/api/model-groups');

  expect(asTeam).toMatchObject({ status: 401, body: { detail: 'Invalid admin credential' } });
  expect(asNobody).toMatchObject({ status: 401, body: { detail: 'Missing admin credential' } });
});
