import { type OptionalField, optionalFieldsIn, withoutOptional } from '../../src/domain/optional-fields.ts';
import { RefusedFields } from '../../src/upstream/refused-fields.ts';

const cached = { cache_control: { type: 'ephemeral' } };
const schema = { type: 'object', properties: { strict: { type: 'boolean' }, cache_control: { type: 'string' } } };
const request = {
  temperature: 0.5,
  reasoning_effort: 'high',
  max_tokens: 10,
  messages: [
    { role: 'system', content: [{ type: 'text', text: 'Hi', ...cached }] },
    {
      role: 'assistant',
      content: '"cache_control"',
      tool_calls: [{ function: { arguments: '{"strict":true}' } }],
      ...cached,
    },
  ],
  tools: [{ type: 'function', function: { name: 'f', strict: true, parameters: schema }, ...cached }],
  response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema } },
};
const left = (...fields: OptionalField[]) =>
  JSON.parse(withoutOptional(JSON.stringify(request), new Set(fields))) as typeof request;

test('a field of the request itself is left out, and a limit of tokens is sent under its other name (spec 31.5)', () => {
  const { reasoning_effort: _, max_tokens: __, ...rest } = request;

  expect(left('reasoning_effort', 'max_tokens')).toEqual({ ...rest, max_completion_tokens: 10 });
  expect(left('reasoning_effort', 'max_tokens', 'max_completion_tokens')).toEqual(rest);
});

test('cache_control is left out of messages, their parts and tools, and stays in the schemas of arguments (spec 31.5)', () => {
  const { messages, tools } = left('cache_control');

  expect(JSON.stringify(messages)).not.toContain('ephemeral');
  expect(messages[1]!.content).toBe('"cache_control"');
  expect(tools).toEqual([{ type: 'function', function: { name: 'f', strict: true, parameters: schema } }]);
});

test('strict is left out of tools and of the response format, and stays in schemas and arguments (spec 31.5)', () => {
  const { tools, response_format, messages } = left('strict');

  expect(tools[0]!.function).toEqual({ name: 'f', parameters: schema });
  expect(response_format.json_schema).toEqual({ name: 'a', schema });
  expect(messages).toEqual(request.messages);
});

test('without a refused field the text of the request stays as it is', () => {
  expect(withoutOptional('{"seed":12345678901234567890}', new Set())).toBe('{"seed":12345678901234567890}');
  expect(withoutOptional('{"seed":12345678901234567890}', new Set(['strict']))).toBe('{"seed":12345678901234567890}');
});

test.each<[string, OptionalField[]]>([
  ["unsupported parameter: 'reasoning_effort' is not supported with this model.", ['reasoning_effort']],
  [
    '{"detail":[{"loc":["body","parallel_tool_calls"],"msg":"extra inputs are not permitted"}]}',
    ['parallel_tool_calls'],
  ],
  [
    "unsupported parameter: 'max_tokens'. use 'max_completion_tokens' instead.",
    ['max_tokens', 'max_completion_tokens'],
  ],
  ['max_tokens is too large: 128000', []],
  ['my_strict_mode failed', []],
  ['messages.0.content.0.cache_control: extra inputs are not permitted', ['cache_control']],
])('of "%s" the optional fields are %j (spec 31.5)', (text, expected) => {
  expect(optionalFieldsIn(text)).toEqual(expected);
});

test('a field that a model has refused is not sent to it for an hour, and to other models it is (spec 31.5)', () => {
  let now = 0;
  const refused = new RefusedFields(() => now);
  refused.add('m', ['strict']);
  refused.add('m', ['verbosity']);

  expect([...refused.of('m')]).toEqual(['verbosity', 'strict']);
  expect(refused.of('other').size).toBe(0);
  now = 3_600_000;
  expect(refused.of('m').size).toBe(0);
});
