import fc from 'fast-check';
import { Cursor, encodeCursor, type ListPosition } from '../../src/contracts/cursor.ts';
import { afterPosition, type KeyColumn, type Keyset, orderBySql, valuesAfter } from '../../src/db/sql/keyset.ts';
import { readKeysetPage } from '../../src/db/sql/read-keyset-page.ts';
import { unnamed } from '../../src/db/sql/statement.ts';
import { InvalidRequest } from '../../src/errors.ts';
import { databaseForTests } from '../support/database-for-tests.ts';

const { database } = await databaseForTests();

/** Few different values, so that most rows have equals in all columns but the last. */
interface Row {
  at: number;
  amount: number | null;
  name: string;
}
const row: fc.Arbitrary<Row> = fc.record({
  at: fc.integer({ min: 0, max: 3 }),
  amount: fc.option(fc.integer({ min: -2, max: 2 }), { nil: null }),
  name: fc.constantFrom('a', 'B', 'ä', "o'clock", 'ß"', ''),
});
const direction = fc.constantFrom('asc' as const, 'desc' as const);
const keyset: fc.Arbitrary<Keyset> = fc
  .record({
    columns: fc.shuffledSubarray<Omit<KeyColumn, 'direction'>>([
      { sql: 't.at', type: 'timestamptz' },
      { sql: 't.amount', type: 'numeric', isNullable: true },
      { sql: 't.name', type: 'text' },
    ]),
    directions: fc.array(direction, { minLength: 4, maxLength: 4 }),
  })
  .map(({ columns, directions }) => ({
    name: 'rows',
    columns: [...columns, { sql: 't.n', type: 'bigint' as const }].map((column, position) => ({
      ...column,
      direction: directions[position]!,
    })),
  }));

const table = `(select timestamptz '2026-01-31 09:30:00.123456Z' + (r->>'at')::int * interval '1 microsecond' as at,
                       (r->>'amount')::numeric / 3 as amount, r->>'name' as name, n
                  from json_array_elements(:rows::json) with ordinality as of_json (r, n)) t`;

const listing = (order: Keyset) => ({
  columns: 't.n as row_number',
  keyset: order,
  from: (after: string) => `${table} where ${after}`,
  count: `select count(*) as total from ${table}`,
});

test('pages by cursor show every row of a list once, in its order, whatever the order (spec 19.60)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 12 }),
      keyset,
      fc.integer({ min: 1, max: 5 }),
      async (all, order, limit) => {
        const rows = JSON.stringify(all);
        const whole = await database.reports.query<{ n: number }>(
          unnamed(`select t.n from ${table} order by ${orderBySql(order)}`),
          { rows },
        );

        const seen: number[] = [];
        let cursor: ListPosition | null | undefined;
        do {
          const page = await readKeysetPage<{ row_number: number }>(
            database,
            listing(order),
            { rows },
            { limit, cursor },
          );
          expect(page.counted).toEqual({ total: all.length });
          seen.push(...page.rows.map(({ row_number }) => row_number));
          cursor = page.next && Cursor.parse(encodeCursor(page.next));
        } while (cursor);

        expect(seen).toEqual(whole.map(({ n }) => n));
      },
    ),
    { numRuns: 60 },
  );
});

test('a page for which no count is requested has no total', async () => {
  const order: Keyset = { name: 'rows', columns: [{ sql: 't.n', type: 'bigint', direction: 'asc' }] };

  const page = await readKeysetPage(database, listing(order), { rows: '[]' }, { limit: 1, count: 'none' });

  expect(page).toEqual({ counted: null, rows: [], next: null });
});

const ofTime: Keyset = {
  name: 'rows',
  columns: [
    { sql: 't.at', type: 'timestamptz', direction: 'desc' },
    { sql: 't.n', type: 'bigint', direction: 'desc' },
  ],
};

test('in an order of one direction one comparison selects the rows after a position, so that an index scan begins there', () => {
  const cursor = { order: 'rows', values: ['2026-01-31T09:30:00.000000Z', '1'] };

  expect(afterPosition(ofTime, cursor)).toBe('(t.at, t.n) < (:after_0::timestamptz, :after_1::bigint)');
  expect(valuesAfter(ofTime, cursor)).toEqual({ after_0: '2026-01-31T09:30:00.000000Z', after_1: '1' });
  expect([afterPosition(ofTime, null), valuesAfter(ofTime, null)]).toEqual(['true', {}]);
});

test.each<[string, ListPosition]>([
  ['of another list', { order: 'others', values: ['2026-01-31T09:30:00.000000Z', '1'] }],
  ['with too few values', { order: 'rows', values: ['2026-01-31T09:30:00.000000Z'] }],
  ['with a date that does not exist', { order: 'rows', values: ['2026-02-30T09:30:00.000000Z', '1'] }],
  ['with a text for a number', { order: 'rows', values: ['2026-01-31T09:30:00.000000Z', "1' or true"] }],
  ['with a number that is too large', { order: 'rows', values: ['2026-01-31T09:30:00.000000Z', '9'.repeat(19)] }],
  ['with null for a column that has none', { order: 'rows', values: [null, '1'] }],
])('a cursor %s is refused before the database sees it', async (_, cursor) => {
  const reading = readKeysetPage(database, listing(ofTime), { rows: '[]' }, { limit: 1, cursor });

  await expect(reading).rejects.toThrow(InvalidRequest);
});

test('any text is parsed as a cursor or refused, and an encoded position is parsed to the same position', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { data, error } = Cursor.safeParse(Buffer.from(text).toString('base64url'));
      expect(Boolean(error) || data === null || Array.isArray(data?.values)).toBe(true);
    }),
  );
  fc.assert(
    fc.property(fc.string(), fc.array(fc.option(fc.string({ unit: 'grapheme' }))), (order, values) => {
      expect(Cursor.parse(encodeCursor({ order, values }))).toEqual({ order, values });
    }),
  );
});
