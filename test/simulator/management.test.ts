import { chat, send, simulatorForTests } from './client.ts';

const master = 'sk-simulator-master';
const simulator = simulatorForTests({ masterKey: master });
const post = (path: string, body: unknown, key = master) => send(`${simulator.url}${path}`, body, { key });
const get = (path: string, key = master) => send(`${simulator.url}${path}`, undefined, { key });

const keyOf = (name: string) => `sk-${name}-0123456789abcdef`;
async function givenTeam(name: string, { team = {}, key = {} } = {}): Promise<string> {
  await post('/team/new', { team_id: name, ...team });
  await post('/key/generate', { key: keyOf(name), team_id: name, ...key });
  return keyOf(name);
}

test('a registered team key may call', async () => {
  const team = await post('/team/new', { team_id: 'new', team_alias: 'New', max_budget: 1.5, metadata: { a: 1 } });
  const key = await post('/key/generate', { key: keyOf('new'), team_id: 'new', key_alias: 'new-key' });

  expect(team).toMatchObject({
    status: 200,
    json: { team_id: 'new', team_alias: 'New', max_budget: 1.5, blocked: false, models: [], spend: 0 },
  });
  expect(key).toMatchObject({ status: 200, json: { key: keyOf('new'), team_id: 'new', key_name: 'sk-...cdef' } });
  expect((await chat(simulator, 'sim-ok', {}, keyOf('new'))).status).toBe(200);
});

test('creating a team id twice gets the error of LiteLLM', async () => {
  await post('/team/new', { team_id: 'once' });

  const again = await post('/team/new', { team_id: 'once' });

  expect(again.status).toBe(400);
  expect(again.json).toEqual({
    error: {
      message: "{'error': 'Team id = once already exists. Please use a different team id.'}",
      type: 'internal_server_error',
      param: null,
      code: '400',
    },
  });
});

test('generating an existing key changes nothing, and an existing alias is refused', async () => {
  await post('/key/generate', { key: keyOf('again'), key_alias: 'again', max_budget: 1 });

  const again = await post('/key/generate', { key: keyOf('again'), max_budget: 2 });
  const alias = await post('/key/generate', { key: keyOf('other'), key_alias: 'again' });

  expect(again.status).toBe(200);
  expect((await get(`/key/info?key=${keyOf('again')}`)).json).toMatchObject({ info: { max_budget: 1 } });
  expect(alias).toMatchObject({ status: 400, json: { error: { param: 'key_alias' } } });
});

test('a team update changes the fields that it has, and null clears', async () => {
  await givenTeam('update', { team: { max_budget: 1, models: ['sim-ok'], metadata: { a: 1 } } });

  const reply = await post('/team/update', { team_id: 'update', max_budget: null, metadata: { b: 2 } });

  expect(reply.json).toMatchObject({ team_id: 'update', data: { max_budget: null, models: ['sim-ok'] } });
  expect((await get('/team/info?team_id=update')).json).toMatchObject({
    team_info: { metadata: { b: 2 } },
    keys: [{}],
  });
});

const refusalOf = async (key: string) => (await chat(simulator, 'sim-ok', {}, key)).json.error ?? 'none';
const isBlocked = expect.objectContaining({ message: expect.stringContaining('Team=block is blocked'), code: '401' });

test('calls of a key that is blocked are refused until it is unblocked', async () => {
  const key = await givenTeam('block-key');
  const refusals = [];

  for (const path of ['/key/block', '/key/unblock']) {
    await post(path, { key });
    refusals.push(await refusalOf(key));
  }

  expect(refusals).toEqual([
    expect.objectContaining({ message: expect.stringContaining('Key is blocked'), code: '401' }),
    'none',
  ]);
});

test('a team that has called is blocked and unblocked by /team/update at once, and by /team/block only for what does not know it', async () => {
  const key = await givenTeam('block');
  const refusals = [await refusalOf(key)];

  for (const [path, body] of [
    ['/team/update', { blocked: true }],
    ['/team/update', { blocked: false }],
    ['/team/block', {}],
    ['/team/update', {}],
    ['/team/unblock', {}],
  ] as const) {
    await post(path, { team_id: 'block', ...body });
    refusals.push(await refusalOf(key));
  }

  expect(refusals).toEqual(['none', isBlocked, 'none', 'none', isBlocked, isBlocked]);
});

test('a model outside the list of a team is refused, and an empty list allows all models', async () => {
  const bound = await givenTeam('bound', { team: { models: ['sim-ok'] } });
  const free = await givenTeam('free');

  expect(await chat(simulator, 'sim-fast', {}, bound)).toMatchObject({
    status: 403,
    json: { error: { type: 'team_model_access_denied', param: 'model', code: '403' } },
  });
  expect((await chat(simulator, 'sim-ok', {}, bound)).status).toBe(200);
  expect((await chat(simulator, 'sim-fast', {}, free)).status).toBe(200);
});

test('a team that has spent its budget is refused', async () => {
  const key = await givenTeam('poor', { team: { max_budget: 0.01 } });

  const first = await chat(simulator, 'sim-cost-20000', {}, key);
  const second = await chat(simulator, 'sim-cost-20000', {}, key);

  expect(first.status).toBe(200);
  expect(second).toMatchObject({ status: 422, json: { error: { type: 'budget_exceeded' } } });
});

test('deleting a team deletes its keys', async () => {
  const key = await givenTeam('gone');

  const reply = await post('/team/delete', { team_ids: ['gone'] });

  expect(reply.json).toEqual({ deleted_teams: ['gone'] });
  expect((await chat(simulator, 'sim-ok', {}, key)).status).toBe(401);
});

test('deleting keys ignores missing keys if at least one exists', async () => {
  const key = await givenTeam('keys');

  expect((await post('/key/delete', { keys: [key, keyOf('absent')] })).json).toEqual({
    deleted_keys: [key, keyOf('absent')],
  });
  expect((await post('/key/delete', { keys: [key] })).status).toBe(404);
});

test.each([
  ['/team/update', { team_id: 'absent' }, 404],
  ['/team/delete', { team_ids: ['absent'] }, 404],
  ['/team/block', { team_id: 'absent' }, 404],
  ['/key/update', { key: keyOf('absent') }, 404],
  ['/key/block', { key: keyOf('absent') }, 404],
  ['/team/new', { team_id: 'negative', max_budget: -1 }, 400],
  ['/team/new', { team_id: 'org', organization_id: 'no-such-organization' }, 400],
  ['/key/generate', { key: 'no-prefix-0123456789' }, 400],
  ['/key/generate', { key: 'sk-short' }, 400],
  ['/team/new', { team_id: 5 }, 422],
  ['/team/update', {}, 422],
  ['/team/delete', { team_ids: 'one' }, 422],
  ['/key/update', {}, 422],
  ['/key/delete', {}, 422],
])('management request %s %j is answered with %i', async (path, body, status) => {
  expect((await post(path, body)).status).toBe(status);
});

test('an invalid management body gets the error of pydantic', async () => {
  const reply = await post('/team/new', { team_id: 5 });

  expect(reply.json).toEqual({
    detail: [{ type: 'string_type', loc: ['body', 'team_id'], msg: 'Input should be a valid string' }],
  });
});

test('management without the master key is refused', async () => {
  const key = await givenTeam('modest');

  const [none, wrong, team] = await Promise.all(
    ['', keyOf('wrong'), key].map((given) => post('/team/new', { team_id: 'stolen' }, given)),
  );

  expect(none).toMatchObject({ status: 401, json: { error: { type: 'auth_error', param: 'None' } } });
  expect(wrong).toMatchObject({ status: 401, json: { error: { type: 'token_not_found_in_db', param: 'key' } } });
  expect(team).toMatchObject({ status: 401, json: { error: { type: 'auth_error' } } });
});

test('models are listed with their prices', async () => {
  const models = await get('/models');
  const prices = await get('/model/info');

  expect(models.json).toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ id: 'gpt-4o' })]) });
  expect(prices.json).toMatchObject({
    data: expect.arrayContaining([
      expect.objectContaining({
        model_name: 'gpt-4o',
        model_info: expect.objectContaining({ input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 }),
      }),
    ]),
  });
});
