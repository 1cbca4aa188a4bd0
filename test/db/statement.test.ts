import { bind, statement } from '../../src/db/sql/statement.ts';

test('named parameters become positions in the order in which they first appear, and casts stay', () => {
  const { text, parameters } = statement('s', 'select :a::int, :b_c, :a::text where t = :t::timestamptz');

  expect(text).toBe('select $1::int, $2, $1::text where t = $3::timestamptz');
  expect(parameters).toEqual(['a', 'b_c', 't']);
});

test('a format of times and a literal with a colon between letters are no parameters', () => {
  const text = `select to_char(now(), 'HH24:MI:SS.MS"Z"'), 'a:b'`;

  expect(statement('s', text)).toEqual({ name: 's', text });
});

test('values are bound by name, null included', () => {
  expect(bind(statement('s', 'select :a, :b'), { b: null, a: 1 })).toEqual([1, null]);
});

test.each([
  ['is missing', { a: 1 }, 'statement s needs the parameter :b'],
  ['is undefined', { a: 1, b: undefined }, 'statement s needs the parameter :b'],
  ['is not in the statement', { a: 1, b: 2, c: 3 }, 'statement s has no parameter :c'],
])('binding fails with the name of the statement for a parameter that %s', (_, values, message) => {
  expect(() => bind(statement('s', 'select :a, :b'), values)).toThrow(message);
});
