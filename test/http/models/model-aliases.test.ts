import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn, unique } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { type Answer, sendRequest } from '../../support/send-request.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

const send = (method: string, path: string, body?: unknown) =>
  sendRequest(gateway.current.url, method, `/api/model-aliases${path}`, { key: gateway.current.masterKey, body });
const create = (fields: Record<string, unknown> = {}) =>
  send('post', '/create', { alias_name: unique('alias'), model_name: 'sim-ok', ...fields });
/** The entry as it is read: what is doubtful about it is only in the answer to the change. */
const entryIn = (answer: Answer) => {
  const { warnings: _, ...entry } = expectOk(answer);
  return entry;
};
const created = async (fields: Record<string, unknown> = {}) => entryIn(await create(fields));

test('a model alias is created, read, listed, and its creation is audited (spec 7.2)', async () => {
  const alias_name = unique('alias');
  const access_groups = [await given.accessGroup(), await given.accessGroup()].sort();

  const alias = await created({
    alias_name,
    display_name: 'Quick',
    fallbacks: ['sim-b', 'sim-a', 'sim-b', 'sim-ok'],
    input_price_per_million: 2.5,
    access_groups: [...access_groups].reverse().concat(access_groups),
  });

  expect(alias).toEqual({
    model_alias_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    extra_fields: [],
    blocked_fields: [],
    max_output_tokens: null,
    embedding_fallbacks: false,
    alias_name,
    model_name: 'sim-ok',
    display_name: 'Quick',
    description: null,
    status: 'active',
    fallbacks: ['sim-b', 'sim-a'],
    input_price_per_million: 2.5,
    output_price_per_million: null,
    cached_input_price_per_million: null,
    cache_write_price_per_million: null,
    access_groups,
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(expectOk(await send('get', `/${alias_name}`))).toEqual(alias);
  expect(expectOk(await send('get', ''))).toContainEqual(alias);
  expect(await readAudit(gateway.current, alias_name)).toMatchObject([
    { action: 'created_model_alias', user_id: null },
  ]);
});

test('the names of fallbacks are stored as they were sent, also if they have a meaning in PostgreSQL', async () => {
  const fallbacks = ['NULL', 'null', ' a ', '"', '\\', '\\n"\\u0041', '{,}', "'", '\u2028', 'ü'];

  const { alias_name } = await created({ fallbacks });
  const other = await created();
  expectOk(await send('put', `/${other.alias_name}`, { fallbacks }));

  expect(expectOk(await send('get', `/${alias_name}`)).fallbacks).toEqual(fallbacks);
  expect(expectOk(await send('get', `/${other.alias_name}`)).fallbacks).toEqual(fallbacks);
});

test('a model alias with an unknown access group is a 404, and nothing is created (spec 7.6)', async () => {
  const alias_name = unique('alias');
  const known = await given.accessGroup();

  const answer = await create({ alias_name, access_groups: [known, 'nobody'] });

  expect(answer).toMatchObject({ status: 404, body: { detail: "Model access group 'nobody' not found" } });
  expect((await send('get', `/${alias_name}`)).status).toBe(404);
  expect((await create({ alias_name, access_groups: [known] })).status).toBe(200);
});

test('simultaneous creations of one name create one model alias', async () => {
  const alias_name = unique('alias');

  const answers = await Promise.all(Array.from({ length: 50 }, () => create({ alias_name })));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
  expect((await create({ alias_name })).body).toEqual({
    detail: `Model alias '${alias_name}' already exists`,
    code: 'model_alias_exists',
  });
});

test('a change of a model alias replaces the named fields only (spec 7.4)', async () => {
  const [one, other] = [await given.accessGroup(), await given.accessGroup()];
  const alias = await created({
    description: 'Old',
    fallbacks: ['sim-a', 'sim-b'],
    input_price_per_million: 1,
    output_price_per_million: 2,
    access_groups: [one],
  });
  const path = `/${alias.alias_name}`;

  const first = entryIn(await send('put', path, { model_name: 'sim-a', access_groups: [other] }));
  const second = entryIn(
    await send('put', path, { input_price_per_million: null, status: 'inactive', access_groups: [], fallbacks: null }),
  );

  expect(first).toEqual({
    ...alias,
    model_name: 'sim-a',
    fallbacks: ['sim-b'],
    access_groups: [other],
    updated_at: expect.any(String),
  });
  expect(second).toEqual({
    ...first,
    input_price_per_million: null,
    status: 'inactive',
    access_groups: [],
    updated_at: expect.any(String),
  });
  expect(expectOk(await send('get', path))).toEqual(second);
  expect(expectOk(await send('get', '?status=inactive'))).toContainEqual(second);
});

test('a change of a model alias with an unknown access group changes nothing', async () => {
  const alias = await created({ access_groups: [await given.accessGroup()] });
  const path = `/${alias.alias_name}`;

  const answer = await send('put', path, { model_name: 'sim-other', access_groups: ['nobody'] });

  expect(answer).toMatchObject({ status: 404, body: { detail: "Model access group 'nobody' not found" } });
  expect(expectOk(await send('get', path))).toEqual(alias);
});

test('an unknown model alias is a 404', async () => {
  const detail = "Model alias 'nobody' not found";

  for (const answer of [
    await send('get', '/nobody'),
    await send('put', '/nobody', { model_name: 'x' }),
    await send('delete', '/nobody'),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { detail } });
  }
});

test('a deleted model alias is removed from its access groups (spec 7.2)', async () => {
  const group = await given.accessGroup();
  const { alias_name } = await created({ access_groups: [group] });

  const deleted = expectOk(await send('delete', `/${alias_name}`));

  expect(deleted).toEqual({ message: `Model alias '${alias_name}' deleted successfully` });
  expect(await given.admin('get', `/api/model-access-groups/${group}`)).toMatchObject({ model_aliases: [] });
  expect((await readAudit(gateway.current, alias_name)).map(({ action }) => action)).toEqual([
    'deleted_model_alias',
    'created_model_alias',
  ]);
});

test.each([
  [{ alias_name: undefined }, ['body', 'alias_name'], 'missing'],
  [{ model_name: undefined }, ['body', 'model_name'], 'missing'],
  [{ model_name: null }, ['body', 'model_name'], 'string_type'],
  [{ fallbacks: 'sim-a' }, ['body', 'fallbacks'], 'list_type'],
  [{ fallbacks: [''] }, ['body', 'fallbacks', 0], 'string_too_short'],
  [{ access_groups: [7] }, ['body', 'access_groups', 0], 'string_type'],
  [{ output_price_per_million: -1 }, ['body', 'output_price_per_million'], 'greater_than_equal'],
])('a model alias with %j is refused', async (fields, loc, type) => {
  const answer = await create(fields);

  expect(answer.status).toBe(422);
  expect(answer.body.detail).toEqual([{ loc, type, msg: expect.any(String) }]);
});
