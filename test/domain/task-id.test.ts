import {
  deriveTaskId,
  headersOfTask,
  isTaskId,
  isTaskIdSource,
  normalizeTaskIdSource,
  parseTaskIdSource,
} from '../../src/domain/task-id.ts';

const request = {
  headers: { 'x-session-id': 'from-header', 'x-empty': '', 'x-spaced': 'two words', 'x-list': ['a', 'b'] },
  body: {
    user: 'from-user',
    session_id: null,
    prompt_cache_key: 'k'.repeat(256),
    metadata: { chat: 'from-metadata', 'a.b': 'dotted', number: 7, empty: '' },
  },
};

test.each([
  [['header:x-session-id', 'body:user'], { taskId: 'from-header' }],
  [['body:user', 'header:x-session-id'], { taskId: 'from-user' }],
  [['header:X-Session-Id'], { taskId: 'from-header' }],
  [['body:metadata.chat'], { taskId: 'from-metadata' }],
  [['body:metadata.a.b'], { taskId: 'dotted' }],
])('of the sources %j the first gives the task id (spec 18.2)', (sources, derived) => {
  expect(deriveTaskId(sources, request)).toEqual(derived);
});

test.each([
  ['an absent header', 'header:x-other'],
  ['an empty header', 'header:x-empty'],
  ['null', 'body:session_id'],
  ['an absent key of the metadata', 'body:metadata.other'],
  ['an empty text', 'body:metadata.empty'],
  ['a key that every object inherits', 'body:metadata.constructor'],
  ['a header that every object inherits', 'header:constructor'],
])('a source that has %s is passed over', (_, source) => {
  expect(deriveTaskId([source], request)).toBeUndefined();
  expect(deriveTaskId([source, 'body:user'], request)).toEqual({ taskId: 'from-user' });
});

test.each([
  ['a space', 'header:x-spaced'],
  ['a list', 'header:x-list'],
  ['256 characters', 'body:prompt_cache_key'],
  ['a number', 'body:metadata.number'],
])('a source that has %s is invalid, although a later one has a task id', (_, source) => {
  expect(deriveTaskId([source, 'body:user'], request)).toEqual({ invalid: parseTaskIdSource(source) });
});

test('metadata that are no object give no task id', () => {
  for (const metadata of [undefined, null, 'chat', ['chat']])
    expect(deriveTaskId(['body:metadata.chat'], { headers: {}, body: { metadata } })).toBeUndefined();
});

test.each([
  ['x', true],
  ['~!', true],
  ['a'.repeat(255), true],
  ['a'.repeat(256), false],
  ['', false],
  ['a b', false],
  ['a\n', false],
  ['é', false],
  [7, false],
])('whether %j is a task id: %s', (value, expected) => {
  expect(isTaskId(value)).toBe(expected);
});

test('a secret header is no source in any spelling', () => {
  for (const name of ['Authorization', 'COOKIE', 'x-Admin-Key', 'Proxy-Authorization', 'X-API-Key'])
    expect(isTaskIdSource(`header:${name}`)).toBe(false);
});

const withJson = {
  headers: {
    'x-turn': '{"root":"r-1","Root":"R","a/b":"slashed","n":7,"empty":""}',
    'x-plain': 'text',
    'x-list': '["root"]',
  },
  body: {
    metadata: { user_id: ' {"session_id":"s-1","account":""}' },
    client_metadata: { turn: 't-1', 'a.b': 'dotted' },
  },
};

test.each([
  ['header:x-turn/root', { taskId: 'r-1' }],
  ['header:X-Turn/Root', { taskId: 'R' }],
  ['header:x-turn/a/b', { taskId: 'slashed' }],
  ['body:metadata.user_id/session_id', { taskId: 's-1' }],
  ['body:client_metadata.turn', { taskId: 't-1' }],
  ['body:client_metadata.a.b', { taskId: 'dotted' }],
  ['header:x-turn/n', { invalid: { part: 'header', path: ['x-turn'], key: 'n' } }],
  ['header:x-turn/other', undefined],
  ['header:x-turn/empty', undefined],
  ['header:x-turn/constructor', undefined],
  ['header:x-plain/root', undefined],
  ['header:x-list/0', undefined],
  ['header:x-absent/root', undefined],
  ['body:metadata.user_id/account', undefined],
])('the source %s gives of a JSON text, or of client_metadata, %j (spec 27.7)', (source, derived) => {
  expect(isTaskIdSource(source)).toBe(true);
  expect(deriveTaskId([source], withJson)).toEqual(derived);
});

test.each([
  'header:x-turn/',
  'header:/root',
  'header:authorization/token',
  'header:Cookie/session',
  'body:metadata.user_id/',
  'body:client_metadata',
  'body:client_metadata.',
  'body:metadata.',
  'body:user/name',
  'body:other.key',
  `header:x/${'k'.repeat(101)}`,
  'body',
  '',
])('%j is no source of a task id (spec 27.7)', (source) => {
  expect(isTaskIdSource(source)).toBe(false);
});

test('of a header with a key the name alone is in lower case, and counts as a header of the request (spec 27.7)', () => {
  const sources = ['header:X-Turn/Root', 'header:X-Session', 'body:metadata.Chat'].map(normalizeTaskIdSource);

  expect(sources).toEqual(['header:x-turn/Root', 'header:x-session', 'body:metadata.Chat']);
  expect(headersOfTask(sources)).toEqual(['x-turn', 'x-session']);
});
