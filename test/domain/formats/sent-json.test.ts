import { bytesOfJson, readSent, utf8BytesOfJson } from '../../../src/domain/formats/sent-json.ts';

const read = (text: string) => Object.fromEntries(readSent(text, JSON.parse(text)));

test.each([
  ['keys that look like numbers', '{"2026":1,"10":2,"a":3}'],
  ['such keys with a space before the colon', '{"b":1,"7" :2}', '{"b":1,"7":2}'],
  ['a number with a decimal zero', '[1.0,2.50]'],
  ['a number with an exponent', '[1e2,1E+2,-1.5e-3]'],
  ['minus zero', '[-0,-0.0]'],
  ['a number of many digits', '[12345678901234567890,0.12345678901234567890]'],
  ['escapes of characters that need none', '"\\u00e9\\u0041\\u001F"'],
  ['a key that is that of a prototype', '{"__proto__":{"1":2}}'],
  ['spaces between values, and in strings', '{ "1" : [ 1 , " a\\t b " ] ,\n\t"b":{ } }', '{"1":[1," a\\t b "],"b":{}}'],
  ['quotes and backslashes in strings', '{"1":"a\\\\","b":"\\"{","c\\"":"\\\\\\""}'],
])('%s are read as they were sent', (_, value, expected = value) => {
  expect(read(`{"schema":${value} , "n" : 1.0}`)).toEqual({ schema: expected, n: '1.0' });
});

test.each([
  ['that is written again as it was sent', '{"a":[1,-2.5,{"b":"c\\n"}],"d":null}'],
  ['with a key that occurs twice', '{"a":{"1":1,"1":2}}'],
  ['with a member that occurs twice', '{"a":1.0,"a":2.0}'],
  ['that is no object', '[1.0]'],
])('nothing is read from a text %s', (_, text) => {
  expect(read(text)).toEqual({});
});

test('an escaped slash is a slash, because data URLs are looked for in the text', () => {
  expect(read('{"a":"data:image\\/png;base64,AA\\/\\\\/"}')).toEqual({ a: '"data:image/png;base64,AA/\\\\/"' });
});

test('an escaped character counts two bytes, and an escaped backslash before a letter counts what it is', () => {
  expect(bytesOfJson('"\\u0438\\u043c"')).toBe(6);
  expect(bytesOfJson('"\\\\u0438"')).toBe(9);
});

test.each(['"a"', '"и\\n"', '"中文"', '"😀\\\\u0041"', '"\u00e9\u007f"'])(
  'the bytes of %s in UTF-8 are the same where its characters are escaped (spec 23.6)',
  (text) => {
    const escaped = text.replaceAll(
      /[^\x20-\x7e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

    expect(escaped).toMatch(/^[\x20-\x7e]*$/);
    expect(utf8BytesOfJson(escaped)).toBe(Buffer.byteLength(text));
  },
);
