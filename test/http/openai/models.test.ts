import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn, unique } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import { chatWith } from './chat.ts';

const gateway = gatewayForTests();
const limited = gatewayForTests({ worker: false, settings: { RATE_LIMIT_REQUESTS_PER_MINUTE: '30' } });
const given = givenIn(gateway);

/** An alias of this name. */
async function aliasNamed(alias_name: string, accessGroup: string): Promise<string> {
  const fields = { alias_name, model_name: 'sim-ok', access_groups: [accessGroup] };
  await given.admin('post', '/api/model-aliases/create', fields);
  return alias_name;
}

const read = (key: string, path = '/v1/models') => sendRequest(gateway.current.url, 'get', path, { key });

/** A team with two groups of which one is inactive, one without an active member, and aliases it can and cannot reach. */
async function teamWithModels() {
  const [access, otherAccess] = [await given.accessGroup(), await given.accessGroup()];
  const alias = await aliasNamed(unique('Alias/a b'), access);
  const inactiveAlias = await given.alias({ access_groups: [access] });
  await given.admin('put', `/api/model-aliases/${inactiveAlias}`, { status: 'inactive' });
  await given.alias({ access_groups: [otherAccess] });
  const [inactive, empty] = [await given.modelGroup(), await given.modelGroup([])];
  await given.admin('put', `/api/model-groups/${inactive}`, { status: 'inactive' });
  const team = await given.team({ access_groups: [access] });
  const both = await aliasNamed(unique('both'), access);
  await given.modelGroup(['sim-ok'], both);
  const model_groups = [team.modelGroup, inactive, empty, both];
  await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups });
  return { team, alias, both, hidden: [inactive, empty, inactiveAlias] };
}

test('the list of models has the groups and aliases that the team can call, each once, sorted by id (spec 17.1)', async () => {
  const { team, alias, both } = await teamWithModels();

  const list = expectOk(await read(team.key));

  const model = (id: string) => ({
    id,
    object: 'model',
    created: expect.any(Number),
    owned_by: team.organizationId,
  });
  expect(list).toEqual({ object: 'list', data: [alias, both, team.modelGroup].sort().map(model) });
});

test('each model of the list can be called, and no other can be read', async () => {
  const { team, alias, both, hidden } = await teamWithModels();

  for (const id of [alias, both, team.modelGroup]) {
    expect((await chatWith(gateway, team)({ model: id })).status).toBe(200);
    expect(expectOk(await read(team.key, `/v1/models/${encodeURIComponent(id)}`)).id).toBe(id);
  }
  for (const id of hidden) {
    const answer = await read(team.key, `/v1/models/${id}`);
    expect([answer.status, answer.body.error.code]).toEqual([404, 'model_not_found']);
    expect((await chatWith(gateway, team)({ model: id })).status).toBe(404);
  }
});

test('a slash at the end of a model in a path changes nothing, unless there is a model of that name (spec 1.17)', async () => {
  const access = await given.accessGroup();
  const plain = await aliasNamed(unique('plain'), access);
  const slashed = await aliasNamed(`${plain}/a/`, access);
  const team = await given.team({ access_groups: [access] });
  const idAt = async (path: string) => (await read(team.key, `/v1/models/${path}`)).body.id;

  expect(await idAt(`${plain}/`)).toBe(plain);
  expect(await idAt(slashed)).toBe(slashed);
  expect(await idAt(encodeURIComponent(slashed))).toBe(slashed);
  expect(await idAt(`${plain}//`)).toBeUndefined();
});

test.each(['a/b', 'a/b/c d', 'a//b', 'a%b', 'models'])(
  'the model %s is read with its slashes plain or encoded (spec 17.1)',
  async (name) => {
    const access = await given.accessGroup();
    const alias_name = `${unique('x')}/${name}`;
    await aliasNamed(alias_name, access);
    const team = await given.team({ access_groups: [access] });
    const plain = alias_name.split('/').map(encodeURIComponent).join('/');

    const answers = [
      await read(team.key, `/v1/models/${plain}`),
      await read(team.key, `/v1/models/${encodeURIComponent(alias_name)}`),
    ];

    for (const answer of answers) expect(expectOk(answer).id).toBe(alias_name);
  },
);

test('the models are not limited by rate (spec 17.1)', async () => {
  const { key } = await givenIn(limited).team({ rpm_limit: 1 });
  const readAll = (path: string) =>
    Promise.all(Array.from({ length: 40 }, () => sendRequest(limited.current.url, 'get', path, { key })));

  const answers = [...(await readAll('/v1/models')), ...(await readAll('/v1/models/unknown'))];

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]));
});

test('fields that a model group or alias lets through go upstream, and other fields are named in X-Ignored-Fields (spec 7.13, spec 17.11)', async () => {
  const model = `sim-ok-as-${unique('extra')}`;
  const access = await given.accessGroup();
  const alias = await given.alias({ model_name: model, access_groups: [access], extra_fields: ['top_k', 'top_k'] });
  const team = await given.team({ models: [model], access_groups: [access] });
  const changed = await given.admin('put', `/api/model-groups/${team.modelGroup}`, {
    extra_fields: ['chat_template_kwargs', 'seed'],
  });
  const fields = { top_k: 3, chat_template_kwargs: { thinking: false }, user: 'ada', min_p: 0 };

  const ofAlias = await chatWith(gateway, team)({ ...fields, model: alias });
  const ofGroup = await chatWith(gateway, team)({ ...fields, stream: true });

  expect(changed.extra_fields).toEqual(['chat_template_kwargs', 'seed']);
  expect((await given.admin('get', `/api/model-aliases/${alias}`)).extra_fields).toEqual(['top_k']);
  const [first, second] = gateway.current.simulator.requestsFor({ model }).map(({ body }) => body as object);
  expect(first).toEqual({ model, messages: expect.anything(), top_k: 3 });
  expect(second).toMatchObject({ model, chat_template_kwargs: { thinking: false } });
  expect(second).not.toHaveProperty('user');
  expect(ofAlias.headers.get('x-ignored-fields')).toBe('chat_template_kwargs, min_p');
  expect(ofGroup.headers.get('x-ignored-fields')).toBe('top_k, min_p');
});

test.each([
  ...['api_base', 'base_url', 'api_key', 'model_list', 'fallbacks', 'mock_response', 'extra_headers', 'extra_body'],
  ...[
    'custom_llm_provider',
    'litellm_params',
    'API_BASE',
    'Litellm_x',
    '',
    'a b',
    'user_config',
    'langfuse_host',
    'topK',
  ],
])('the extra field %p is refused for groups and aliases (spec 7.13)', async (name) => {
  const { url, masterKey } = gateway.current;
  const group = await given.modelGroup();
  const body = { extra_fields: ['top_k', name] };

  const answers = [
    await sendRequest(url, 'put', `/api/model-groups/${group}`, { key: masterKey, body }),
    await sendRequest(url, 'post', '/api/model-groups/create', {
      key: masterKey,
      body: { group_name: unique('g'), ...body },
    }),
    await sendRequest(url, 'post', '/api/model-aliases/create', {
      key: masterKey,
      body: { alias_name: unique('a'), model_name: 'sim-ok', ...body },
    }),
  ];

  for (const answer of answers) {
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0].loc).toEqual(['body', 'extra_fields', 1]);
  }
});
