import { nestsBeyond } from '../../src/http/nests-beyond.ts';

const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;

test.each([
  ['as deep as it may be', nested(10), false],
  ['two deeper', nested(12), true],
  ['never closed', '['.repeat(11), true],
  ['many beside each other', `[${'[],'.repeat(50)}[]]`, false],
  ['brackets in a string', `["${'['.repeat(50)}"]`, false],
  ['a quote in a string', `["\\"${'['.repeat(50)}"]`, false],
  ['a backslash at the end of a string', `["\\\\",${'['.repeat(11)}`, true],
  ['a string that does not end', `["${'['.repeat(50)}`, false],
])('%s', (_, text, expected) => {
  expect(nestsBeyond(text, 10)).toBe(expected);
});
