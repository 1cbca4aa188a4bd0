import { boundExceeded } from '../../src/http/body/parse-body.ts';

const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;

test.each([
  ['as deep as it may be', nested(10), undefined],
  ['two deeper', nested(12), 'depth'],
  ['never closed', '['.repeat(11), 'depth'],
  ['many beside each other', `[${'[],'.repeat(20)}[]]`, undefined],
  ['brackets in a string', `["${'['.repeat(60)}"]`, undefined],
  ['a quote in a string', `["\\"${'['.repeat(60)}"]`, undefined],
  ['a backslash at the end of a string', `["\\\\",${'['.repeat(11)}`, 'depth'],
  ['a string that does not end', `["${'['.repeat(60)}`, undefined],
  ['as many items as there may be', `[${'0,'.repeat(49)}0]`, undefined],
  ['one more item', `[${'0,'.repeat(50)}0]`, 'values'],
  ['as many objects as there may be', `[${'{},'.repeat(24)}{}]`, undefined],
  ['one more object', `[${'{},'.repeat(25)}{}]`, 'values'],
  ['as many members as there may be', `{${'"a":0,'.repeat(24)}"a":0}`, undefined],
  ['one more member', `{${'"a":0,'.repeat(25)}"a":0}`, 'values'],
  ['colons and commas in strings', `{"${':,'.repeat(50)}":"${':,'.repeat(50)}"}`, undefined],
])('the bounds of JSON text: %s', (_, text, expected) => {
  expect(boundExceeded(text, { depth: 10, values: 50 })).toBe(expected);
});
