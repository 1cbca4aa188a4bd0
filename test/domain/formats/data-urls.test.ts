import { hasLongDataUrl, longDataUrls, replaceDataUrls } from '../../../src/domain/formats/data-urls.ts';

const data = 'A'.repeat(2_000);
const replaced = (text: string) => replaceDataUrls(text, ({ type, data: found }) => `<${type} ${found.length}>`);

test.each([
  ['in a text of JSON', `{"url":"data:image/png;base64,${data}"}`, '{"url":"<image/png;base64 2000>"}'],
  ['in Markdown', `![a](data:image/png;base64,${data}) b`, '![a](<image/png;base64 2000>) b'],
  ['with a charset', `"data:text/plain;charset=utf-8,${data}"`, '"<text/plain;charset=utf-8 2000>"'],
  ['without a type', `"data:,${data}"`, '"< 2000>"'],
  ['at the end', `data:a/b,${data}`, '<a/b 2000>'],
  ['twice', `data:a/b,${data} data:a/b,${data}`, '<a/b 2000> <a/b 2000>'],
  ['before an escape', `"data:a/b,${data}\\n"`, '"<a/b 2000>\\n"'],
])('a long data URL %s is found to its end', (_, text, expected) => {
  expect(replaced(text)).toBe(expected);
  expect(hasLongDataUrl(text)).toBe(true);
});

test.each([
  ['a short data URL', `data:a/b,${'A'.repeat(1_000)}`],
  ['the word data', `some data: ${data}, and more, ${data}`],
  ['the events of a stream', `data: {"a":"${data}"}\n\ndata: [DONE]`],
  ['a type that is too long', `data:${'a'.repeat(300)},${data}`],
  ['an empty text', ''],
])('%s is not replaced as a long data URL', (_, text) => {
  expect(replaced(text)).toBe(text);
  expect(hasLongDataUrl(text)).toBe(false);
});

/** A search that began anew at each mark would take hours. */
test('32 MiB of marks of data URLs are searched in one pass', () => {
  const data = `data:image/png;base64,${'A'.repeat(33_554_432)}`;
  const [withoutComma, withCommas] = ['data:'.repeat(6_710_886), 'data:a,'.repeat(4_793_490)];

  const found = [data, withoutComma, `${withoutComma},`, withCommas].map((text) => [...longDataUrls(text)].length);

  expect(found).toEqual([1, 0, 0, 1]);
});
