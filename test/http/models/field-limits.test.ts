import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import { chatWith, hello } from '../openai/chat.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const sentTo = (model: string) => gateway.current.simulator.requestsFor({ model }).map(({ body }) => body as object);

const dear = {
  service_tier: 'priority',
  web_search_options: {},
  reasoning_effort: 'high',
  prompt_cache_retention: '24h',
  max_completion_tokens: 1_000_000,
};

/** A team that reaches the model by its group, and by an alias of the same limits. */
async function givenLimits(limits: object) {
  const model = `sim-ok-as-${unique('limits')}`;
  const access = await given.accessGroup();
  const alias = await given.alias({ model_name: model, access_groups: [access], ...limits });
  const team = await given.team({ models: [model], access_groups: [access] });
  await given.admin('put', `/api/model-groups/${team.modelGroup}`, limits);
  return { model, team, alias };
}

test('blocked fields of a chat completion do not go upstream and are named in X-Ignored-Fields, by group and by alias (spec 7.14, spec 17.11)', async () => {
  const blocked_fields = [
    'service_tier',
    'web_search_options',
    'reasoning_effort',
    'prompt_cache_retention',
    'min_p',
    'n',
  ];
  const { model, team, alias } = await givenLimits({ blocked_fields, extra_fields: ['top_k', 'min_p'] });
  const fields = { ...dear, top_k: 3, min_p: 0.1, unknown: 1, seed: 7 };

  const answers = [
    await chatWith(gateway, team)(fields),
    await chatWith(gateway, team)({ ...fields, model: alias, stream: true }),
  ];

  for (const { status, headers } of answers) {
    expect(status).toBe(200);
    expect(headers.get('x-ignored-fields')).toBe(
      'min_p, unknown, service_tier, web_search_options, reasoning_effort, prompt_cache_retention',
    );
  }
  const expected = { model, messages: hello, seed: 7, max_completion_tokens: 1_000_000, top_k: 3 };
  expect(sentTo(model)).toEqual([expected, { ...expected, stream: true, stream_options: { include_usage: true } }]);
});

test('the limit of generated tokens replaces larger and absent ones, in plain answers and streams of both surfaces (spec 7.14)', async () => {
  const { model, team, alias } = await givenLimits({ max_output_tokens: 100 });
  const job = await given.job(team);

  await chatWith(gateway, team)({ max_completion_tokens: 1_000_000 });
  await chatWith(gateway, team)({ model: alias, stream: true });
  await chatWith(gateway, team)({ max_tokens: 50 });
  expectOk(await as(gateway, team).call(job, { max_tokens: 5_000 }));
  await as(gateway, team).stream(job);
  expectOk(await as(gateway, team).single({ max_tokens: 70 }));

  const limits = sentTo(model).map((body) => {
    const { max_tokens, max_completion_tokens } = body as Record<string, unknown>;
    return { max_tokens, max_completion_tokens };
  });
  expect(limits).toEqual([
    { max_completion_tokens: 100 },
    { max_tokens: 100 },
    { max_tokens: 50 },
    { max_tokens: 100 },
    { max_tokens: 100 },
    { max_tokens: 70 },
  ]);
});

test('blocked fields of calls under /api do not go upstream either, not even by default, and given ones are named (spec 4.8, spec 7.14)', async () => {
  const { model, team } = await givenLimits({ blocked_fields: ['temperature', 'top_p', 'tools'] });
  const job = await given.job(team);
  const tools = [{ type: 'function', function: { name: 'f' } }];

  const single = await as(gateway, team).single({ top_p: 0.5, tools, stop: ['a'] });
  const call = await as(gateway, team).call(job);

  expect([single.status, call.status]).toEqual([200, 200]);
  expect(single.headers.get('x-ignored-fields')).toBe('top_p, tools');
  expect(call.headers.get('x-ignored-fields')).toBeNull();
  const [first, second] = sentTo(model);
  expect(first).toEqual({ model, messages: expect.anything(), stop: ['a'] });
  expect(second).toEqual({ model, messages: expect.anything() });
});

test('an extra field that was permitted before it was forbidden is not sent, and is named in X-Ignored-Fields', async () => {
  const { model, team } = await givenLimits({});
  await gateway.current.deps.database.pool.query('update model_groups set extra_fields = $2 where group_name = $1', [
    team.modelGroup,
    ['user_config', 'input_cost_per_token', 'top_k'],
  ]);

  const answer = await chatWith(gateway, team)({ user_config: {}, input_cost_per_token: 0, top_k: 3 });

  expect(sentTo(model)).toEqual([{ model, messages: hello, top_k: 3 }]);
  expect(answer.headers.get('x-ignored-fields')).toBe('user_config, input_cost_per_token');
});

test('groups and aliases show what they block and limit, and null removes the limit (spec 7.14)', async () => {
  const limits = { blocked_fields: ['service_tier', 'n', 'n'], max_output_tokens: 4_096 };
  const group_name = unique('group');
  const created = await given.admin('post', '/api/model-groups/create', { group_name, ...limits });
  const alias = await given.alias(limits);

  const shown = { blocked_fields: ['service_tier', 'n'], max_output_tokens: 4_096 };
  expect(created).toMatchObject(shown);
  expect(await given.admin('get', `/api/model-aliases/${alias}`)).toMatchObject(shown);
  for (const path of [`/api/model-groups/${group_name}`, `/api/model-aliases/${alias}`]) {
    expect(await given.admin('put', path, { display_name: 'x' })).toMatchObject(shown);
    expect(await given.admin('put', path, { blocked_fields: [], max_output_tokens: null })).toMatchObject({
      blocked_fields: [],
      max_output_tokens: null,
    });
  }
});

test.each([
  ...['model', 'messages', 'stream', 'stream_options'].map((name) => ({ blocked_fields: ['n', name] })),
  { blocked_fields: ['a b'] },
  { max_output_tokens: 0 },
  { max_output_tokens: 1.5 },
  { max_output_tokens: 2_147_483_648 },
])('the setting %j of a model is refused with 422 (spec 7.14)', async (limits) => {
  const { url, masterKey } = gateway.current;

  const answers = [
    await sendRequest(url, 'post', '/api/model-groups/create', {
      key: masterKey,
      body: { group_name: unique('g'), ...limits },
    }),
    await sendRequest(url, 'put', `/api/model-aliases/${await given.alias()}`, { key: masterKey, body: limits }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([422, 422]);
  expect(answers[0]!.body.detail[0].loc.slice(0, 2)).toEqual(['body', Object.keys(limits)[0]]);
});
