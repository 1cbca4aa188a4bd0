import { namedFields } from '../../src/domain/named-fields.ts';

test('namedFields has fields that are null, and not those that are undefined', () => {
  expect(namedFields({ a: null, b: undefined, c: 0, d: '' })).toEqual({ a: null, c: 0, d: '' });
});
