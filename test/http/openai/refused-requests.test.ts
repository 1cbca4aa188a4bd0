import { gatewayForTests } from '../../support/gateway.ts';
import { type GivenTeam, givenIn } from '../../support/given.ts';
import { type Json, sendRequest } from '../../support/send-request.ts';
import { chatWith, hello } from './chat.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

let team: GivenTeam;
beforeAll(async () => {
  team = await given.team();
});

const chat = (fields: object, headers = {}) => chatWith(gateway, team)(fields as Json, headers);
const image = { type: 'image_url', image_url: { url: 'https://rivers.example/po.png', detail: 'low' } };
const tool = (parameters: object = {}) => ({ type: 'function', function: { name: 'weather', parameters } });

const toolCall = {
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: '{' },
  extra_content: { a: 1 },
};

const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const assistant = (fields: object) => ({ messages: [{ role: 'assistant', ...fields }] });
const deep = (depth: number): object => (depth === 0 ? {} : { a: deep(depth - 1) });
const cyclic = { $defs: { a: { $ref: '#/$defs/a' } } };

test.each<[string, object, string | null, string]>([
  ['no model', { model: undefined }, 'model', 'missing_required_parameter'],
  ['a model that is a number', { model: 7 }, 'model', 'invalid_type'],
  ['an empty model', { model: '' }, 'model', 'invalid_value'],
  ['no messages', { messages: undefined }, 'messages', 'missing_required_parameter'],
  ['empty messages', { messages: [] }, 'messages', 'invalid_value'],
  ['10,001 messages', { messages: Array(10_001).fill(hello[0]) }, 'messages', 'invalid_value'],
  ['messages that are a text', { messages: 'hi' }, 'messages', 'invalid_type'],
  ['a message that is a text', { messages: ['hi'] }, 'messages[0]', 'invalid_type'],
  ['a message without a role', { messages: [{ content: 'x' }] }, 'messages[0].role', 'missing_required_parameter'],
  ['an unknown role', { messages: [{ role: 'bot', content: 'x' }] }, 'messages[0].role', 'invalid_value'],
  ['a role of a prototype', { messages: [{ role: 'toString' }] }, 'messages[0].role', 'invalid_value'],
  ['a user without content', { messages: [{ role: 'user' }] }, 'messages[0].content', 'missing_required_parameter'],
  ['a user with content null', user(null), 'messages[0].content', 'invalid_type'],
  ['content that is a number', user(7), 'messages[0].content', 'invalid_type'],
  ['content that is an object', user({}), 'messages[0].content', 'invalid_type'],
  ['a part of an unknown type', user([image, { type: 'hologram' }]), 'messages[0].content[1].type', 'invalid_value'],
  ['a part without a type', user([{ text: 'x' }]), 'messages[0].content[0].type', 'missing_required_parameter'],
  ['a text part without text', user([{ type: 'text' }]), 'messages[0].content[0].text', 'missing_required_parameter'],
  [
    'an image without a URL',
    user([{ type: 'image_url', image_url: {} }]),
    'messages[0].content[0].image_url.url',
    'missing_required_parameter',
  ],
  ['a refusal of a user', user([{ type: 'refusal', refusal: 'x' }]), 'messages[0].content[0].type', 'invalid_value'],
  ['an image of an assistant', assistant({ content: [image] }), 'messages[0].content[0].type', 'invalid_value'],
  [
    'an image of a system message',
    { messages: [{ role: 'system', content: [image] }] },
    'messages[0].content[0].type',
    'invalid_value',
  ],
  [
    'a tool result without an id',
    { messages: [{ role: 'tool', content: 'x' }] },
    'messages[0].tool_call_id',
    'missing_required_parameter',
  ],
  [
    'a tool call without an id',
    assistant({ tool_calls: [{ type: 'function' }] }),
    'messages[0].tool_calls[0].id',
    'missing_required_parameter',
  ],
  [
    'arguments that are an object',
    assistant({ tool_calls: [{ ...toolCall, function: { name: 'f', arguments: {} } }] }),
    'messages[0].tool_calls[0].function.arguments',
    'invalid_type',
  ],
  ['temperature as a text', { temperature: '1' }, 'temperature', 'invalid_type'],
  ['max_tokens with a fraction', { max_tokens: 1.5 }, 'max_tokens', 'invalid_type'],
  ['seed as a text', { seed: '7' }, 'seed', 'invalid_type'],
  ['17 stop texts', { stop: Array(17).fill('x') }, 'stop', 'invalid_value'],
  ['stop as a number', { stop: 7 }, 'stop', 'invalid_type'],
  ['logit_bias as a list', { logit_bias: [] }, 'logit_bias', 'invalid_type'],
  ['stream as a text', { stream: 'true' }, 'stream', 'invalid_type'],
  [
    'include_usage as a text',
    { stream_options: { include_usage: 'yes' } },
    'stream_options.include_usage',
    'invalid_type',
  ],
  ['tools as an object', { tools: {} }, 'tools', 'invalid_type'],
  ['a tool without a function', { tools: [{ type: 'function' }] }, 'tools[0].function', 'missing_required_parameter'],
  ['a tool without a type', { tools: [{ function: { name: 'f' } }] }, 'tools[0].type', 'missing_required_parameter'],
  ['a tool of another type', { tools: [tool(), { type: 'custom' }] }, 'tools[1].type', 'unsupported_value'],
  ['a schema that refers to itself', { tools: [tool(cyclic)] }, 'tools[0].function.parameters', 'invalid_value'],
  [
    'a function whose schema refers to itself',
    { functions: [{ name: 'f', parameters: cyclic }] },
    'functions[0].parameters',
    'invalid_value',
  ],
  [
    'a format whose schema refers to itself',
    { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { $ref: '#' } } } },
    'response_format.json_schema.schema',
    'invalid_value',
  ],
  ['response_format as a text', { response_format: 'json' }, 'response_format', 'invalid_type'],
  ['tool_choice as a number', { tool_choice: 7 }, 'tool_choice', 'invalid_type'],
  ['n above 1', { n: 2 }, 'n', 'unsupported_value'],
  ['logprobs', { logprobs: true }, 'logprobs', 'unsupported_value'],
  ['top_logprobs', { top_logprobs: 3 }, 'top_logprobs', 'unsupported_value'],
  ['a modality beside text', { modalities: ['text', 'audio'] }, 'modalities', 'unsupported_value'],
  ['audio', { audio: { voice: 'ash' } }, 'audio', 'unsupported_value'],
  ['user as a number', { user: 7 }, 'user', 'invalid_type'],
  ['user with NUL', { user: 'a\0' }, 'user', 'invalid_value'],
  ['metadata as a text', { metadata: 'x' }, 'metadata', 'invalid_type'],
  ['metadata of more than 10 KB', { metadata: { a: 'x'.repeat(10_240) } }, 'metadata', 'invalid_value'],
  ['metadata with NUL', { metadata: { a: ['\0'] } }, 'metadata.a[0]', 'invalid_value'],
  ['a job id that is none', { metadata: { job_id: 'x' } }, 'metadata.job_id', 'invalid_value'],
  ['a job type that is a number', { metadata: { job_type: 7 } }, 'metadata.job_type', 'invalid_type'],
  ['a nesting of 65', { metadata: deep(65) }, expect.stringMatching(/^metadata\.a/) as never, 'invalid_value'],
])('%s is refused with its place and code (spec 17.10)', async (_, fields, param, code) => {
  const answer = await chat(fields);

  expect([answer.status, answer.body.error]).toEqual([
    400,
    { message: expect.any(String), type: 'invalid_request_error', param, code },
  ]);
});

test.each<[string, Record<string, string>, string]>([
  ['a job id that is none', { 'x-job-id': 'job-1' }, 'x-job-id'],
  ['an empty task', { 'x-external-task-id': '' }, 'x-external-task-id'],
  ['a task with a blank', { 'x-external-task-id': 'a b' }, 'x-external-task-id'],
  ['a task of 256 characters', { 'x-external-task-id': 'x'.repeat(256) }, 'x-external-task-id'],
  ['a purpose of 201 characters', { 'x-call-purpose': 'x'.repeat(201) }, 'x-call-purpose'],
  ['another word for the end', { 'x-job-end': 'Call' }, 'x-job-end'],
  ['two words for the end', { 'x-job-end': 'call, answer' }, 'x-job-end'],
  ['a blank in the Idempotency-Key', { 'idempotency-key': 'a b' }, 'idempotency-key'],
])('a header with %s is refused with its name', async (_, headers, param) => {
  const answer = await chat({}, headers);

  expect([answer.status, answer.body.error]).toMatchObject([400, { param, code: 'invalid_value' }]);
});

test.each<[string, string, string]>([
  ['half a body', '{"model":', 'invalid_json'],
  ['an array', '[]', 'invalid_type'],
  ['no body', '', 'missing_required_parameter'],
])('%s is refused as a whole', async (_, raw, code) => {
  const answer = await sendRequest(gateway.current.url, 'post', '/v1/chat/completions', {
    key: team.key,
    raw,
    headers: { 'content-type': 'application/json' },
  });

  expect([answer.status, answer.body.error]).toMatchObject([400, { param: null, code }]);
});
