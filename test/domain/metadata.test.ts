import fc from 'fast-check';
import { mergeMetadata, metadataLimitBytes, utf8Length } from '../../src/domain/metadata.ts';

test('a metadata update replaces top-level keys, and null is a value (spec 3.4)', () => {
  const merged = mergeMetadata({ kept: 1, nested: { a: 1 } }, { nested: { b: 2 }, nothing: null });

  expect(merged).toEqual({ kept: 1, nested: { b: 2 }, nothing: null });
});

test('the limit of metadata applies to the bytes of the merged object', () => {
  const overhead = utf8Length(JSON.stringify({ a: '' }));
  const fits = { a: 'é'.repeat((metadataLimitBytes - overhead) / 2) };

  expect(mergeMetadata({}, fits)).toEqual(fits);
  expect(mergeMetadata({ b: 1 }, fits)).toBeUndefined();
});

test('the length in UTF-8 is that of an encoder', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => utf8Length(text) === Buffer.byteLength(text)));
});
