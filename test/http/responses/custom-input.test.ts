import fc from 'fast-check';
import { CustomInput } from '../../../src/http/responses/answer/custom-input.ts';

function read(pieces: readonly string[]): string[] {
  const input = new CustomInput();
  return [...pieces.map((piece) => input.add(piece)), input.rest()];
}

const joined = (pieces: readonly string[]): string => read(pieces).join('');

/** The text in pieces of one to three UTF-16 units, so that pairs and escapes are cut. */
function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const length = lengths[turn % lengths.length]!;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

test('the input of a custom tool is the text of its arguments, however they are escaped and cut (spec 29.9)', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1 });
  const escapes = (json: string) =>
    json.replace(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), lengths, fc.boolean(), (text, cuts, isEscaped) => {
      const json = JSON.stringify({ input: text });
      const pieces = read(cut(isEscaped ? escapes(json) : json, cuts));

      expect(pieces.join('')).toBe(text);
      for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
    }),
  );
});

test('a patch with quotes, backslashes and emoji is streamed byte for byte (spec 29.9)', () => {
  const patch = '*** Begin Patch\n*** Add File: a.txt\n+say "hé\\llo" \u{1F600}\t\u2028\n*** End Patch\n';
  const [json] = [JSON.stringify({ input: patch })];
  const pieces = read(cut(json!, [1]));

  expect(pieces.join('')).toBe(patch);
  // It is not gathered: the first characters come before the last.
  expect(pieces.slice(0, 40).join('')).toMatch(/^\*\*\* Begin/);
});

test.each([
  ['plain text', 'no JSON at all'],
  ['another member', '{"patch":"x"}'],
  ['a value that is no text', '{"input":5}'],
  ['a list', '["a"]'],
  ['an empty object', '{}'],
])('arguments of another form, %s, are the input as they are (spec 29.9)', (_, json) => {
  expect(joined([...json])).toBe(json);
  expect(joined([json])).toBe(json);
});

test.each([
  ['in the text', '{"input":"abc', 'abc'],
  ['in an escape', '{"input":"abc\\', 'abc'],
  ['in a hexadecimal escape', '{"input":"abc\\u00', 'abc'],
  ['before the text', '{"inp', ''],
  ['before anything', '', ''],
])('arguments that break off %s have the text so far (spec 29.9)', (_, json, text) => {
  expect(joined([...json])).toBe(text);
});

test('what stands after the text is ignored, and line ends within it are kept (spec 29.9)', () => {
  expect(joined([' { "input" : "a\nb" , "x": 1 } '])).toBe('a\nb');
});
