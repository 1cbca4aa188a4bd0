import { executeIn } from '../../src/db/connection/execute-in.ts';
import { bind, statement, unnamed } from '../../src/db/sql/statement.ts';
import { databaseForTests } from '../support/database-for-tests.ts';

const { database } = await databaseForTests({ poolSize: 1 });

test('named parameters become positions in the order in which they first appear, and casts stay', () => {
  const { text, parameters } = statement('s', 'select :a::int, :b_c, :a::text where t = :t::timestamptz');

  expect(text).toBe('select $1::int, $2, $1::text where t = $3::timestamptz');
  expect(parameters).toEqual(['a', 'b_c', 't']);
});

test('a parameter name that ends with a digit is replaced as a whole', () => {
  expect(unnamed('select :id2, :id')).toEqual({ text: 'select $1, $2', parameters: ['id2', 'id'] });
});

test('a format of times and a literal with a colon between letters are no parameters', () => {
  const text = `select to_char(now(), 'HH24:MI:SS.MS"Z"'), 'a:b'`;

  expect(statement('s', text)).toEqual({ name: 's', text, parameters: [] });
});

test('a name beyond the 63 bytes that PostgreSQL keeps is replaced by a digest of its own', () => {
  const [one, other] = ['a', 'b'].map((end) => statement('s'.repeat(63) + end, 'select 1').name);

  expect(one).toHaveLength(40);
  expect(other).not.toBe(one);
});

test.each([
  ['a statement', (text: string) => statement('s', text)],
  ['a statement without a name', unnamed],
])('%s with a position instead of a name is refused', (_, make) => {
  expect(() => make('select :a, $2')).toThrow(
    'statements use named parameters (:name), not positions ($1): select :a, $2',
  );
});

test('values are bound by name, null included', () => {
  expect(bind(statement('s', 'select :a, :b'), { b: null, a: 1 })).toEqual([1, null]);
});

test.each([
  ['is missing', { a: 1 }, 'statement s needs the parameter :b'],
  ['is undefined', { a: 1, b: undefined }, 'statement s needs the parameter :b'],
  ['is not in the statement', { a: 1, b: 2, c: 3 }, 'statement s has no parameter :c'],
  ['has a position instead of a name', [1, 2], 'statement s has no parameter :0'],
])('binding fails with the name of the statement for a parameter that %s', (_, values, message) => {
  expect(() => bind(statement('s', 'select :a, :b'), values as Record<string, unknown>)).toThrow(message);
});

test('binding a statement without a name fails for a parameter that is missing', () => {
  expect(() => bind(unnamed('select :a'), {})).toThrow('statement without a name needs the parameter :a');
});

const values = {
  text: `it's :b, $1 and ?`,
  number: 7,
  none: null,
  bytes: Buffer.from('é'),
  at: new Date(0),
  list: ['a', 'NULL', ` "\\,{ `],
};
const sql =
  'select :text || :text as text, :number::int as number, :none::text as none, :bytes::bytea as bytes, :at::timestamptz as at, :list::text[] as list';

test('a statement has the same result as a prepared query, in a report and in a transaction of entities', async () => {
  const inQuery = await database.query(statement('s', sql), values);
  const inReport = await database.reports.query(unnamed(sql), values);
  const [inTransaction] = await database.transaction((entities) =>
    executeIn<{ bytes: Buffer; at: string }>(entities, unnamed(sql), values),
  );

  expect(inQuery).toEqual([{ ...values, text: values.text.repeat(2) }]);
  expect(inReport).toEqual(inQuery);
  expect({ ...inTransaction!, at: new Date(inTransaction!.at) }).toEqual(inQuery[0]);
});

test.each([
  ['is missing', {}, 'needs the parameter :a'],
  ['is not in the statement', { a: 1, b: 2 }, 'has no parameter :b'],
])(
  'a transaction of entities fails before the statement is sent for a parameter that %s',
  async (_, given, message) => {
    const work = database.transaction(async (entities) => executeIn(entities, unnamed('select :a'), given));

    await expect(work).rejects.toThrow(message);
  },
);
