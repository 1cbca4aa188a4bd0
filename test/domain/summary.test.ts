import { utf8Length } from '../../src/domain/metadata.ts';
import { summary } from '../../src/domain/summary.ts';

test.each([
  ['short', 'report · smart', 'report · smart'],
  ['of characters of four bytes', '😀'.repeat(200), '😀'.repeat(96)],
  ['of characters that JSON escapes', '"'.repeat(400), '"'.repeat(192)],
])('a summary %s fits into the 400 bytes of Temporal and is cut between characters', (_, text, expected) => {
  const cut = summary(text);

  expect(cut).toBe(expected);
  expect(utf8Length(JSON.stringify(cut))).toBeLessThanOrEqual(400);
});
