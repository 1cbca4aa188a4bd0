import { gatewayForTests } from '../../support/gateway.ts';
import { as, givenIn } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const messages = [{ role: 'user', content: 'a' }];

test.each<[string, string, object, string]>([
  ['chat/completions', 'model', { model: null, messages }, 'model'],
  ['chat/completions', 'messages', { messages: null }, 'messages'],
  ['messages', 'model', { model: null, max_tokens: 9, messages }, 'model'],
  ['messages', 'max_tokens', { max_tokens: null, messages }, 'max_tokens'],
  ['messages', 'messages', { max_tokens: 9, messages: null }, 'messages'],
  ['messages/count_tokens', 'messages', { messages: null }, 'messages'],
  ['responses', 'model', { model: null, input: 'a' }, 'model'],
  ['responses/input_tokens', 'model', { model: null, input: 'a' }, 'model'],
  ['embeddings', 'model', { model: null, input: 'a' }, 'model'],
  ['embeddings', 'input', { input: null }, 'input'],
])('on /v1/%s, the %s that is needed and null is missing (spec 17.8)', async (path, _, fields, param) => {
  const team = await given.team();

  const answer = await as(gateway, team).post(`/v1/${path}`, { model: team.modelGroup, ...fields });

  const code = 'missing_required_parameter';
  expect(answer.status).toBe(400);
  if (path.startsWith('messages'))
    expect(answer.body.error).toMatchObject({ message: `Field required: ${param}`, details: { error_code: code } });
  else expect(answer.body.error).toMatchObject({ message: `Field required: ${param}`, param, code });
});

test('on /v1/messages, max_tokens that is absent is missing (spec 28.3)', async () => {
  const team = await given.team();

  const answer = await as(gateway, team).post('/v1/messages', { model: team.modelGroup, messages });

  expect(answer.body.error).toMatchObject({
    message: 'Field required: max_tokens',
    details: { error_code: 'missing_required_parameter' },
  });
});

test.each([
  ['in a list', [null], 'messages[0]'],
  ['as the content of a message', [{ role: 'user', content: null }], 'messages[0].content'],
])('on /v1, null %s is of the wrong type (spec 17.8)', async (_, wrong, param) => {
  const team = await given.team();

  const answer = await as(gateway, team).post('/v1/chat/completions', { model: team.modelGroup, messages: wrong });

  expect(answer.body.error).toMatchObject({ param, code: 'invalid_type' });
});

test('counting tokens names what a call would leave out, and not what the model permits (spec 28.13, spec 29.22)', async () => {
  const team = await given.team();
  const alter = { extra_fields: ['top_k'] };
  await given.admin('put', `/api/model-groups/${team.modelGroup}`, alter);
  const common = { model: team.modelGroup, service_tier: 'auto', top_k: 4, own: 1 };
  const hosted = { type: 'web_search_20250305', name: 'w' };
  const { post } = as(gateway, team);

  const counted = await post('/v1/messages/count_tokens', {
    ...common,
    messages,
    tools: [{ name: 'f', input_schema: { type: 'object' } }, hosted],
  });
  const ofResponse = await post('/v1/responses/input_tokens', {
    ...common,
    input: 'a',
    truncation: 'auto',
    tools: [{ type: 'function', name: 'f' }, { type: 'web_search' }],
  });

  expect(counted.headers.get('x-ignored-fields')?.split(', ').toSorted()).toEqual(['own', 'service_tier', 'tools[1]']);
  expect(ofResponse.headers.get('x-ignored-fields')?.split(', ').toSorted()).toEqual(['own', 'tools[1]', 'truncation']);
});
