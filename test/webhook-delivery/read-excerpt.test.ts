import { Readable } from 'node:stream';
import { readExcerpt, toExcerpt } from '../../src/webhook-delivery/read-excerpt.ts';

const limits = { maxBytes: 65_536, timeoutMs: 10_000 };

test.each<[string, Buffer, string]>([
  ['a short text', Buffer.from('Thanks'), 'Thanks'],
  ['nothing', Buffer.alloc(0), ''],
  ['NUL', Buffer.from('a\0b'), 'a\ufffdb'],
  ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0x62]), 'a\ufffd\ufffdb'],
  ['half a surrogate pair', Buffer.from([0xed, 0xa0, 0x80]), '\ufffd\ufffd\ufffd'],
  ['more than 1,024 bytes', Buffer.alloc(2_000, 'x'), 'x'.repeat(1_024)],
  ['a character that the end cuts in two', Buffer.from(`${'x'.repeat(1_023)}é`), 'x'.repeat(1_023)],
])('the excerpt of %s is text that PostgreSQL stores (spec 19.65)', (_, bytes, excerpt) => {
  expect(toExcerpt(bytes)).toBe(excerpt);
});

test('a body is read to its end, in whatever parts it comes', async () => {
  let ended = false;
  const body = Readable.from([Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1), Buffer.alloc(5_000, 'x')]);
  body.once('end', () => {
    ended = true;
  });

  expect(await readExcerpt(body, limits)).toBe(`é${'x'.repeat(1_022)}`);
  expect(ended).toBe(true);
});

test('a body without an end is read up to the limit', async () => {
  const body = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1_000, 'x');
    })(),
  );

  expect(await readExcerpt(body, limits)).toHaveLength(1_024);
  expect(body.destroyed).toBe(true);
});

test.each([
  ['is lost', (body: Readable) => void body.destroy(new Error('reset'))],
  ['does not come', () => undefined],
])('the excerpt of a body whose rest %s is the part that has arrived', async (_, then) => {
  const body = new Readable({ read: () => undefined });
  body.push('Thanks');
  body.once('data', () => setImmediate(() => then(body)));

  expect(await readExcerpt(body, { ...limits, timeoutMs: 100 })).toBe('Thanks');
});
