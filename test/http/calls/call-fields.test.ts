import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

let team: GivenTeam;
let job: string;
beforeAll(async () => {
  team = await given.team({ models: ['sim-ok-as-call-fields'], credits: 100 });
  job = await given.job(team);
});

const single = (fields: object) => as(gateway, team).single({ ...fields });
const sentUpstream = () => gateway.current.simulator.requestsFor({ model: 'sim-ok-as-call-fields' }).at(-1)!.body;
const tool = (name = 'weather', parameters: object = {}) => ({ type: 'function', function: { name, parameters } });

test.each<[string, object, (string | number)[], string]>([
  ['messages missing', { messages: undefined }, ['messages'], 'missing'],
  ['messages empty', { messages: [] }, ['messages'], 'too_short'],
  ['messages an object', { messages: {} }, ['messages'], 'list_type'],
  ['messages null', { messages: null }, ['messages'], 'list_type'],
  ['1,001 messages', { messages: Array(1_001).fill(hello[0]) }, ['messages'], 'too_long'],
  ['content null', { messages: [{ role: 'user', content: null }] }, ['messages', 0, 'content'], 'string_type'],
  ['content in parts', { messages: [{ role: 'user', content: [] }] }, ['messages', 0, 'content'], 'string_type'],
  ['an unknown role', { messages: [{ role: 'tool', content: '' }] }, ['messages', 0, 'role'], 'literal_error'],
  ['temperature −0.01', { temperature: -0.01 }, ['temperature'], 'greater_than_equal'],
  ['temperature 2.01', { temperature: 2.01 }, ['temperature'], 'less_than_equal'],
  ['temperature a text', { temperature: '0.7' }, ['temperature'], 'float_type'],
  ['max_tokens 0', { max_tokens: 0 }, ['max_tokens'], 'greater_than_equal'],
  ['max_tokens 1.5', { max_tokens: 1.5 }, ['max_tokens'], 'int_type'],
  ['purpose of 201 characters', { purpose: 'x'.repeat(201) }, ['purpose'], 'string_too_long'],
  ['call_metadata a text', { call_metadata: 'x' }, ['call_metadata'], 'dict_type'],
])('llm-call: %s is refused (spec 4.11)', async (_, fields, loc, type) => {
  const answer = await as(gateway, team).call(job, fields as Record<string, unknown>);

  expect(answer.status).toBe(422);
  expect(answer.body.detail[0]).toMatchObject({ loc: ['body', ...loc], type });
});

test('call_metadata of more than 10 KB is refused with a message that has the limit (spec 4.11)', async () => {
  const answer = await as(gateway, team).call(job, { call_metadata: { text: 'x'.repeat(10_240) } });

  expect(answer.status).toBe(422);
  expect(answer.body.detail).toMatchObject([
    { loc: ['body', 'call_metadata'], msg: 'Call metadata is limited to 10KB per call' },
  ]);
});

test.each<[string, object, (string | number)[]]>([
  ['frequency_penalty 2.01', { frequency_penalty: 2.01 }, ['frequency_penalty']],
  ['presence_penalty −2.01', { presence_penalty: -2.01 }, ['presence_penalty']],
  ['top_p 1.1', { top_p: 1.1 }, ['top_p']],
  ['response_format a text', { response_format: 'json' }, ['response_format']],
  ['tool_choice 7', { tool_choice: 7 }, ['tool_choice']],
  ['1,000 tools', { tools: Array(1_000).fill(tool()) }, ['tools']],
  ['tools of 2 MB', { tools: [tool('weather', { description: 'x'.repeat(2_000_000) })] }, ['tools']],
  [
    'a schema that refers to itself',
    { tools: [tool('weather', { $defs: { a: { $ref: '#/$defs/a' } } })] },
    ['tools', 0, 'function', 'parameters'],
  ],
  ['stop a text', { stop: 'END' }, ['stop']],
])('create-and-call: %s is refused (spec 4.13)', async (_, fields, loc) => {
  const answer = await single(fields);

  expect(answer.status).toBe(422);
  expect(answer.body.detail[0].loc).toEqual(['body', ...loc]);
});

test('a call sends the fields of the interface upstream, and no others (spec 4.15)', async () => {
  const asked = {
    temperature: 0,
    max_tokens: 50,
    tools: [tool()],
    tool_choice: 'none',
    response_format: { type: 'text' },
    top_p: 0.5,
    frequency_penalty: -2,
    presence_penalty: 2,
    stop: ['END'],
  };
  expectOk(
    await single({ ...asked, max_completion_tokens: 10_000, user: 'mallory', stream: true, n: 7, purpose: 'p' }),
  );

  expect(sentUpstream()).toEqual({ model: 'sim-ok-as-call-fields', messages: hello, ...asked });
});

test('a temperature that is null is sent upstream as 0.7, and a max_tokens that is null is not sent (spec 1.12, spec 4.11)', async () => {
  expectOk(await as(gateway, team).call(job, { temperature: null, max_tokens: null }));

  expect(sentUpstream()).toEqual({ model: 'sim-ok-as-call-fields', messages: hello, temperature: 0.7 });
});

test('the text of a message goes upstream unchanged', async () => {
  const messages = [
    { role: 'system', content: '' },
    { role: 'user', content: '  \u202e é 😀 ' },
  ];

  expectOk(await as(gateway, team).call(job, { messages }));

  expect((sentUpstream() as { messages: unknown }).messages).toEqual(messages);
});

test('optional fields of a tool may be null, and are not sent upstream', async () => {
  const bare = { type: 'function', function: { name: 'weather' } };

  expectOk(await single({ tools: [{ ...bare, function: { ...bare.function, description: null, parameters: null } }] }));

  expect(sentUpstream()).toMatchObject({ tools: [bare] });
  expect((sentUpstream() as { tools: unknown }).tools).toEqual([bare]);
});

test('a call and a single-call job are answered with the fields of the specification, and with their ids in headers (spec 4.8, spec 4.12, spec 4.14)', async () => {
  const metadata = { tokens_used: expect.any(Number), latency_ms: expect.any(Number) };
  const response = { content: expect.stringMatching(/./), finish_reason: 'stop' };

  const called = await as(gateway, team).call(job);
  const made = await single({});

  const callId = called.headers.get('x-call-id');
  expect(called.headers.get('x-job-id')).toBe(job);
  expect(called.body).toEqual({ call_id: callId, response, metadata: { ...metadata, model_group: team.modelGroup } });
  expect(made.headers.get('x-call-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(made.body).toEqual({
    job_id: made.headers.get('x-job-id'),
    status: 'completed',
    response,
    metadata: { ...metadata, model: team.modelGroup },
    costs: expect.objectContaining({ total_calls: 1, credit_applied: true }),
    completed_at: expect.stringMatching(/Z$/),
  });
});

test('an answer with tool calls has an empty content (spec 4.4)', async () => {
  const toolTeam = await given.team({ models: ['sim-tools'] });
  const answer = await as(gateway, toolTeam).single({
    tools: [tool('get_weather', { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })],
  });

  expect(expectOk(answer).response).toMatchObject({
    content: '',
    finish_reason: 'tool_calls',
    tool_calls: [{ type: 'function', function: { name: 'get_weather', arguments: expect.any(String) } }],
  });
});

test('the concrete model of a call is shown to an admin and not to a team (spec 3.9, spec 4.16)', async () => {
  const own = await given.job(team);
  expectOk(await as(gateway, team).call(own));

  const seen = await as(gateway, team).get(`/api/jobs/${own}/costs`);
  const { breakdown } = await given.admin('get', `/api/jobs/${own}/costs`);

  expect(seen.text).not.toContain('sim-ok');
  expect(breakdown[0]).toMatchObject({
    resolved_model: 'sim-ok-as-call-fields',
    attempts: [{ attempt_number: 1, outcome: 'succeeded' }],
  });
});

test.each([
  ['unknown', 'model_group_unusable', (name: string) => `Model group '${name}' not found or inactive`],
  [
    'not-assigned',
    'model_group_denied',
    (name: string) => `Team '${team.teamId}' does not have access to model group '${name}'`,
  ],
])('a model group that is %s is refused, and the call leaves no record (spec 4.1)', async (kind, code, detail) => {
  const name = kind === 'unknown' ? 'no-such-group' : await given.modelGroup();
  const own = await given.job(team);

  const answers = [
    await as(gateway, team).call(own, { model_group: name }),
    await as(gateway, team).stream(own, { model_group: name }),
  ];

  for (const answer of answers) expect([answer.status, answer.body]).toEqual([403, { detail: detail(name), code }]);
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${own}/costs`)).breakdown).toEqual([]);
});
