import { gatewayForTests } from '../../support/gateway.ts';
import { type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { type Json, sendRequest } from '../../support/send-request.ts';
import { chatWith, hello } from './chat.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const model = `sim-ok-as-${unique('rules')}`;
let team: GivenTeam;
beforeAll(async () => {
  team = await given.team({ models: [model] });
});

const chat = (fields: object, headers = {}) => chatWith(gateway, team)(fields as Json, headers);
const sentUpstream = (): Json => gateway.current.simulator.requestsFor({ model }).at(-1)!.body;
const image = { type: 'image_url', image_url: { url: 'https://rivers.example/po.png', detail: 'low' } };
const tool = (parameters: object = {}) => ({ type: 'function', function: { name: 'weather', parameters } });

test('without optional fields nothing but model and messages goes upstream (spec 17.8)', async () => {
  expect((await chat({})).status).toBe(200);

  expect(sentUpstream()).toEqual({ model, messages: hello });
});

test('every field that is sent on goes upstream unchanged (spec 17.8)', async () => {
  const fields = {
    temperature: 0,
    top_p: 0.5,
    max_tokens: 50,
    max_completion_tokens: 60,
    stop: 'END',
    presence_penalty: 3,
    frequency_penalty: -7.5,
    logit_bias: { 50256: -100 },
    seed: 7,
    response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema: { type: 'object' } } },
    tools: [tool({ type: 'object', properties: { constructor: { type: 'string' } } })],
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ type: 'function' }] },
      function: { name: 'none' },
    },
    parallel_tool_calls: false,
    functions: [{ name: 'f', parameters: { type: 'object' } }],
    function_call: 'auto',
    reasoning_effort: 'low',
    verbosity: 'high',
    prediction: { type: 'content', content: 'x' },
    web_search_options: {},
    service_tier: 'flex',
    prompt_cache_key: 'k',
    prompt_cache_retention: '24h',
  };

  const answer = await chat(fields);

  expect(answer.status).toBe(200);
  expect(sentUpstream()).toEqual({ model, messages: hello, ...fields });
  expect(answer.headers.get('x-ignored-fields')).toBeNull();
});

test('an optional field that is null is not sent upstream (spec 17.8)', async () => {
  const names = [
    ...['temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'stop', 'presence_penalty', 'frequency_penalty'],
    ...['logit_bias', 'seed', 'response_format', 'tools', 'tool_choice', 'parallel_tool_calls', 'functions', 'store'],
    ...['function_call', 'reasoning_effort', 'verbosity', 'prediction', 'web_search_options', 'service_tier', 'user'],
    ...['prompt_cache_key', 'prompt_cache_retention', 'safety_identifier', 'metadata', 'stream', 'stream_options'],
    ...['n', 'logprobs', 'top_logprobs', 'modalities', 'audio', 'top_k'],
  ];

  const answer = await chat(Object.fromEntries(names.map((name) => [name, null])));

  expect(answer.status).toBe(200);
  expect(sentUpstream()).toEqual({ model, messages: hello });
  expect(answer.headers.get('x-ignored-fields')).toBeNull();
});

test('known fields that are not for the upstream are not sent, and unknown fields are named in X-Ignored-Fields (spec 17.9, spec 17.11)', async () => {
  const kept = { user: 'ada', safety_identifier: 'ada', metadata: { a: 1 }, store: true };
  const without = { n: 1, logprobs: false, top_logprobs: 0, modalities: ['text'] };
  const unknown = { top_k: 3, api_base: 'https://evil.example', litellm_params: {}, 'a, b': 1, model_list: [] };

  const answer = await chat({ ...kept, ...without, ...unknown });

  expect(sentUpstream()).toEqual({ model, messages: hello });
  expect(answer.headers.get('x-ignored-fields')).toBe('top_k, api_base, litellm_params, a%2C%20b, model_list');
});

test('each stream requests its usage from the upstream, whatever the client requests (spec 17.9)', async () => {
  await chat({ stream: true, stream_options: { include_usage: false, include_obfuscation: false } });

  expect(sentUpstream()).toEqual({ model, messages: hello, stream: true, stream_options: { include_usage: true } });
});

test('an empty list of tools is not sent upstream, and neither are the fields that belong to it (spec 17.12)', async () => {
  expect((await chat({ tools: [], tool_choice: 'auto', parallel_tool_calls: true, seed: 1 })).status).toBe(200);

  expect(sentUpstream()).toEqual({ model, messages: hello, seed: 1 });
});

test('an integer that a double cannot hold goes upstream as it was written', async () => {
  const raw = JSON.stringify({ model: team.modelGroup, messages: hello, seed: 0 }).replace(
    '"seed":0',
    '"seed":9007199254740993',
  );

  const answer = await sendRequest(gateway.current.url, 'post', '/v1/chat/completions', {
    key: team.key,
    raw,
    headers: { 'content-type': 'application/json' },
  });

  expect(answer.status).toBe(200);
  const { rows } = await gateway.current.deps.database.pool.query(
    'select request from call_payloads where call_id = $1',
    [answer.headers.get('x-call-id')],
  );
  expect(rows[0].request).toContain('"seed":9007199254740993');
});

const toolCall = {
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: '{' },
  extra_content: { a: 1 },
};

test('messages of all roles and parts go upstream unchanged, with their unknown keys (spec 17.13)', async () => {
  const messages = [
    { role: 'system', content: 'Be brief.', name: 'rules' },
    { role: 'developer', content: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        image,
        { type: 'image_url', image_url: 'https://rivers.example/po.png' },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
        { type: 'video_url', video_url: { url: 'https://rivers.example/po.mp4' } },
      ],
    },
    { role: 'assistant', content: null, tool_calls: [toolCall], thinking_blocks: [{ thinking: 'a' }] },
    { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'rain' }, image] },
    {
      role: 'assistant',
      tool_calls: null,
      refusal: null,
      reasoning_content: 'hm',
      function_call: { name: 'f', arguments: '' },
    },
    { role: 'function', name: 'f', content: null },
    {
      role: 'assistant',
      content: [
        { type: 'refusal', refusal: 'No.' },
        { type: 'text', text: 'Or yes.' },
      ],
      audio: null,
    },
    { role: 'user', content: '', name: 'ada' },
    { role: 'assistant', content: '' },
    { role: 'tool', tool_call_id: 'of nothing', content: '' },
  ];

  const answer = await chat({ messages });

  expect(answer.status).toBe(200);
  expect(sentUpstream().messages).toEqual(messages);
});

test('a chat completion forwards NUL and any key, and replaces half a surrogate pair by U+FFFD (spec 17.14)', async () => {
  const parameters = '{"type":"object","properties":{"__proto__":{"type":"string"},"prototype":{},"a\\ud800":{}}}';
  const raw =
    `{"model":"${team.modelGroup}","messages":[{"role":"user","content":"a\\u0000b\\ud83dc\\ud83d\\ude00"}],` +
    `"tools":[{"type":"function","function":{"name":"f","parameters":${parameters}}}]}`;

  const answer = await sendRequest(gateway.current.url, 'post', '/v1/chat/completions', {
    key: team.key,
    raw,
    headers: { 'content-type': 'application/json' },
  });

  expect(answer.status).toBe(200);
  expect(sentUpstream().messages).toEqual([{ role: 'user', content: 'a\0b\ufffdc😀' }]);
  const { rows } = await gateway.current.deps.database.pool.query(
    'select request from call_payloads where call_id = $1',
    [answer.headers.get('x-call-id')],
  );
  expect(rows[0].request).toContain(parameters.replace('\\ud800', '\ufffd'));
});

const deep = (depth: number): object => (depth === 0 ? {} : { a: deep(depth - 1) });

test('a chat completion with a nesting of 64 is accepted (spec 17.14)', async () => {
  const parameters = deep(58);

  expect((await chat({ tools: [tool(parameters)] })).status).toBe(200);

  expect(sentUpstream().tools[0].function.parameters).toEqual(parameters);
});

test('a chat completion with 10,000 messages of parts is accepted (spec 17.13)', async () => {
  const message = {
    role: 'user',
    content: [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
  };

  expect((await chat({ messages: Array(10_000).fill(message) })).status).toBe(200);

  expect(sentUpstream().messages).toHaveLength(10_000);
});
