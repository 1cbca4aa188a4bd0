import { gzipSync } from 'node:zlib';
import { bodyLimits } from '../../../src/http/body/receive-body.ts';
import { echoGateway } from './echo-gateway.ts';

const { post } = echoGateway();

const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

test.each([
  ['nothing', '', ['body'], 'missing', 'Field required'],
  ['null', 'null', ['body'], 'missing', 'Field required'],
  ['a brace', '{', ['body', 1], 'json_invalid', 'JSON decode error'],
  ['a trailing comma', '{"team_id":"a",}', ['body', 15], 'json_invalid', 'JSON decode error'],
  ['a missing value', '{"team_id":}', ['body', 11], 'json_invalid', 'JSON decode error'],
  ['NaN', '{"count":NaN}', ['body', 9], 'json_invalid', 'JSON decode error'],
  ['two values', '{} {}', ['body', 3], 'json_invalid', 'JSON decode error'],
  ['half a word', '{"count":nul', ['body', 12], 'json_invalid', 'JSON decode error'],
  ['an array', '[]', ['body'], 'model_attributes_type', expect.any(String)],
  ['a string', '"x"', ['body'], 'model_attributes_type', expect.any(String)],
  ['an empty object', '{}', ['body', 'team_id'], 'missing', 'Field required'],
  ['a null field', '{"team_id":null}', ['body', 'team_id'], 'string_type', 'Input should be a valid string'],
  ['NUL', '{"team_id":"a\\u0000"}', ['body', 'team_id'], 'value_error', expect.any(String)],
  [
    'a lone surrogate',
    '{"metadata":{"a":["\\ud800"]}}',
    ['body', 'metadata', 'a', 0],
    'value_error',
    expect.any(String),
  ],
  ['NUL in a key', '{"metadata":{"a\\u0000":1}}', ['body', 'metadata'], 'value_error', expect.any(String)],
  ['__proto__', '{"metadata":{"__proto__":1}}', ['body', 'metadata'], 'value_error', expect.any(String)],
  ['constructor', '{"constructor":{"prototype":1}}', ['body'], 'value_error', expect.any(String)],
  ['a string for an object', '{"team_id":"a","metadata":"x"}', ['body', 'metadata'], 'dict_type', expect.any(String)],
  ['an array for an object', '{"team_id":"a","metadata":[]}', ['body', 'metadata'], 'dict_type', expect.any(String)],
  [
    'text for an integer',
    '{"team_id":"a","count":"1"}',
    ['body', 'count'],
    'int_type',
    'Input should be a valid integer',
  ],
  ['true for an integer', '{"team_id":"a","count":true}', ['body', 'count'], 'int_type', expect.any(String)],
  ['a fraction', '{"team_id":"a","count":1.5}', ['body', 'count'], 'int_type', expect.any(String)],
  ['1e400', '{"team_id":"a","count":1e400}', ['body', 'count'], 'int_type', expect.any(String)],
  [
    'a huge integer',
    '{"team_id":"a","count":9007199254740993}',
    ['body', 'count'],
    'less_than_equal',
    expect.any(String),
  ],
  [
    '-1',
    '{"team_id":"a","count":-1}',
    ['body', 'count'],
    'greater_than_equal',
    'Input should be greater than or equal to 0',
  ],
  [
    'an id of 256 characters',
    `{"team_id":"${'a'.repeat(256)}"}`,
    ['body', 'team_id'],
    'string_too_long',
    'String should have at most 255 characters',
  ],
  ['an empty id', '{"team_id":""}', ['body', 'team_id'], 'string_too_short', 'String should have at least 1 character'],
  ['a line break in an id', '{"team_id":"a\\n"}', ['body', 'team_id'], 'string_pattern_mismatch', expect.any(String)],
  [
    '33 levels',
    `{"metadata":${nested(33)}}`,
    expect.arrayContaining(['body', 'metadata']),
    'recursion_limit',
    expect.any(String),
  ],
  ['5,000 brackets', '['.repeat(5_000), ['body', 5_000], 'json_invalid', 'JSON decode error'],
  [
    '5,000 closed brackets',
    '['.repeat(5_000) + ']'.repeat(5_000),
    expect.any(Array),
    'recursion_limit',
    expect.any(String),
  ],
  [
    'a list of 100,000 objects',
    `{"team_id":"a","other":[${'{},'.repeat(99_999)}{}]}`,
    ['body'],
    'too_long',
    'JSON holds more than 100000 keys and values',
  ],
  [
    'an object of 60,000 members that never ends',
    `{"team_id":"a","other":{${'"a":0,'.repeat(60_000)}`,
    ['body'],
    'too_long',
    expect.any(String),
  ],
])('the body with %s is a 422', async (_what, body, loc, type, msg) => {
  const answer = await post(body);

  expect(answer.status).toBe(422);
  expect(answer.body).toEqual({ detail: [{ loc, msg, type }], code: 'request_invalid' });
});

test.each([
  ['with a byte order mark', '\uFEFF{"team_id":"a"}', 'a'],
  ['with a field twice: the last one counts, for everybody', '{"team_id":"b","team_id":"a"}', 'a'],
  ['with unknown fields', '{"team_id":"a","other":1}', 'a'],
  ['32 levels deep', `{"team_id":"a","metadata":${nested(32)}}`, 'a'],
  ['with strange ids', '{"team_id":"../\u{1F600}/__proto__"}', '../\u{1F600}/__proto__'],
])('a body %s is accepted (spec 1.11)', async (_what, body, teamId) => {
  expect(await post(body)).toMatchObject({ status: 200, body: { team_id: teamId } });
});

test.each([['text/plain'], ['application/x-www-form-urlencoded'], ['application/jsonx'], ['']])(
  'JSON declared as "%s" is a 422 (spec 1.11)',
  async (contentType) => {
    const answer = await post(new TextEncoder().encode('{"team_id":"a"}'), { 'content-type': contentType });

    expect(answer).toMatchObject({
      status: 422,
      body: {
        detail: [{ loc: ['body'], type: 'model_attributes_type', msg: expect.stringMatching(/application\/json$/) }],
      },
    });
  },
);

test.each(['application/json', 'application/json; charset=UTF-8', 'application/vnd.x+json', 'APPLICATION/JSON ;a=b'])(
  'a body of the type %s is read as JSON (spec 1.11)',
  async (contentType) => {
    expect((await post('{"team_id":"a"}', { 'content-type': contentType })).status).toBe(200);
  },
);

test.each([
  [{ 'content-type': 'application/json; charset=utf-16' }],
  [{ 'content-type': 'application/json;charset="latin1"' }],
  [{ 'content-encoding': 'compress' }],
  [{ 'content-encoding': 'gzip, br' }],
] as Record<string, string>[][])('%j is a 415 (spec 1.11)', async (headers) => {
  const answer = await post('{"team_id":"a"}', headers);

  expect(answer).toMatchObject({ status: 415, body: { detail: expect.any(String) } });
});

test('a body that is not UTF-8 is a 422 (spec 1.11)', async () => {
  const answer = await post(new Uint8Array([0x22, 0xff, 0x22]));

  expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body'], type: 'json_invalid' }] } });
});

test('a compressed body is read; a damaged one, and one that unpacks to too much, are refused', async () => {
  const gzip = { 'content-encoding': 'gzip' };
  const compressed = new Uint8Array(gzipSync('{"team_id":"a"}'));
  const bomb = new Uint8Array(gzipSync(`{"team_id":"${' '.repeat(20_000_000)}"}`));

  expect((await post(compressed, gzip)).status).toBe(200);
  expect((await post(compressed, { 'content-encoding': 'x-gzip' })).status).toBe(200);
  expect((await post(compressed.slice(0, -9), gzip)).status).toBe(422);
  expect((await post('not gzip at all', gzip)).status).toBe(422);
  expect((await post(bomb, gzip)).status).toBe(413);
});

test.each([
  ['/test/echo', bodyLimits.standard],
  ['/test/large', bodyLimits.call],
])('%s accepts bodies of %i bytes and none larger (spec 1.5)', async (path, limit) => {
  const body = (bytes: number) => `{"team_id":"a"${' '.repeat(bytes - 15)}}`;

  expect((await post(body(limit), {}, path)).status).toBe(200);
  const refused = await post(body(limit + 1), {}, path);
  expect(refused).toMatchObject({ status: 413, body: { detail: 'Request body too large' } });
});

test('a large body with few values is read completely', async () => {
  const tool = { type: 'function', function: { name: 'f', parameters: { properties: { a: { type: 'string' } } } } };
  const body = (length: number) =>
    JSON.stringify({
      team_id: 'a',
      messages: Array(5_000).fill({ role: 'user', content: [{ type: 'text', text: '{"a":[1,2]}'.repeat(length) }] }),
      tools: Array(500).fill(tool),
    });

  expect((await post(body(140), {}, '/test/large')).status).toBe(200);
});

test('the number of problems in a 422 is bounded', async () => {
  const answer = await post(JSON.stringify({ team_id: 'a', many: Array(500).fill(1) }));

  expect(answer.status).toBe(422);
  expect(answer.body.detail).toHaveLength(100);
  expect(answer.body.detail[99]).toMatchObject({ loc: ['body', 'many', 99], type: 'string_type' });
});
