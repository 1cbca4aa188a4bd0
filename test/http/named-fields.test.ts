import { namedFields } from '../../src/http/validation/named-fields.ts';

test('null is named, and what is left out is not', () => {
  expect(namedFields({ a: null, b: undefined, c: 0, d: '' })).toEqual({ a: null, c: 0, d: '' });
});
