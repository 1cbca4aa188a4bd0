import { z } from 'zod';
import type { ListPosition } from '../../contracts/cursor.ts';
import { invalid } from '../../errors.ts';
import type { Reports } from '../connection/reports.ts';
import { unnamed, type Values } from './statement.ts';

/** How values of a type are written in a cursor, and which texts of a cursor the database can read. */
const types = {
  uuid: { written: (sql: string) => `${sql}::text`, read: z.guid() },
  text: { written: (sql: string) => sql, read: z.string().regex(/^[^\0]*$/) },
  bigint: { written: (sql: string) => `${sql}::text`, read: z.string().regex(/^-?\d{1,18}$/) },
  numeric: { written: (sql: string) => `${sql}::text`, read: z.string().regex(/^-?\d{1,60}(\.\d{1,60})?$/) },
  timestamptz: {
    written: (sql: string) => `to_char(${sql} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    // PostgreSQL has no year 0.
    read: z.iso.datetime().refine((text) => !text.startsWith('0000')),
  },
};

/** A column, or an expression, that a list is ordered by. */
export interface KeyColumn {
  sql: string;
  type: keyof typeof types;
  direction: 'asc' | 'desc';
  /** Null is possible, and comes last in both directions. */
  isNullable?: boolean;
}

/** An order in which every row has a place of its own: the last column is different in each. `name` identifies it in cursors. */
export interface Keyset {
  name: string;
  columns: readonly KeyColumn[];
}

/** For `order by`. `sqlOf` names the columns in another way. */
export const orderOf = ({ columns }: Keyset, sqlOf = (column: KeyColumn, _place: number) => column.sql): string =>
  columns
    .map((column, place) => `${sqlOf(column, place)} ${column.direction}${column.isNullable ? ' nulls last' : ''}`)
    .join(', ');

const parameterOf = ({ type }: KeyColumn, place: number): string => `:after_${place}::${type}`;
const beyond = ({ direction }: KeyColumn): string => (direction === 'desc' ? '<' : '>');

/** One comparison of rows, which an index can begin with. */
const compareRows = (columns: readonly KeyColumn[]): string =>
  `(${columns.map(({ sql }) => sql).join(', ')}) ${beyond(columns[0]!)} (${columns.map(parameterOf).join(', ')})`;

/** For columns of different directions, or with nulls: an index can begin with the first comparison. */
function compareInTurn(columns: readonly KeyColumn[], values: ListPosition['values']): string {
  return columns.reduceRight((rest, column, place) => {
    const { sql, isNullable } = column;
    if (values[place] === null) return `(${sql} is null and ${rest})`;
    const orNull = isNullable ? ` or ${sql} is null` : '';
    const compare = (operator: string) => `(${sql} ${operator} ${parameterOf(column, place)}${orNull})`;
    return `(${compare(`${beyond(column)}=`)} and (${compare(beyond(column))} or ${rest}))`;
  }, 'false');
}

/** The condition of the rows after a position; of all rows without one. Its values: `valuesAfter`. */
export function afterPosition({ columns }: Keyset, position: ListPosition | null | undefined): string {
  if (!position) return 'true';
  const isOneComparison = columns.every(
    ({ direction, isNullable }) => direction === columns[0]!.direction && !isNullable,
  );
  return isOneComparison ? compareRows(columns) : compareInTurn(columns, position.values);
}

const fits = ({ name, columns }: Keyset, { order, values }: ListPosition): boolean =>
  order === name &&
  values.length === columns.length &&
  columns.every(({ type, isNullable }, place) => {
    const value = values[place]!;
    return value === null ? isNullable : types[type].read.safeParse(value).success;
  });

/** The parameters of `afterPosition`. Refuses a cursor that is of another list or order with 422. */
export function valuesAfter(keyset: Keyset, position: ListPosition | null | undefined): Values {
  if (!position) return {};
  if (!fits(keyset, position))
    throw invalid(['query', 'cursor'], 'Input should be a next_cursor of this list in this order');
  const given = position.values.map((value, place) => [`after_${place}`, value]);
  return Object.fromEntries(given.filter(([, value]) => value !== null));
}

/** A list that is read by position. */
export interface KeysetListing {
  columns: string;
  keyset: Keyset;
  /** Tables and conditions, `after` among them: the condition of the rows after the position. */
  from(after: string): string;
  /** A select of one row with `total`, the number of rows of the whole list, and other figures of it. */
  count: string;
}

export interface KeysetPage {
  limit: number;
  /** Not together with a cursor. */
  offset?: number;
  /** Null or absent: from the first row on. */
  cursor?: ListPosition | null | undefined;
  /** `none`: neither the total nor the other figures are read. */
  count?: 'exact' | 'none';
}

export interface ReadKeysetPage<Row, Counted = object> {
  /** Null where it was not to be counted. */
  counted: (Counted & { total: number }) | null;
  rows: Row[];
  /** The position of the last row; null where the list has no further row. */
  next: ListPosition | null;
}

/** Where a page is read: a database, or one of its snapshots. */
export interface PageSource {
  reports: Pick<Reports, 'query'>;
}

/** A page and the figures of the whole list, of one snapshot. */
export async function readKeysetPage<Row extends object, Counted extends object = object>(
  { reports }: PageSource,
  { columns, keyset, from, count }: KeysetListing,
  values: Values,
  { limit, offset = 0, cursor, count: counting = 'exact' }: KeysetPage,
): Promise<ReadKeysetPage<Row, Counted>> {
  const isCounted = counting === 'exact';
  const keys = keyset.columns.map(({ sql }, place) => `${sql} as key_${place}`);
  // One row more than the page has shows whether there is a next page.
  const page = `
    select true as is_row, ${columns}, ${keys.join(', ')} from ${from(afterPosition(keyset, cursor))}
     order by ${orderOf(keyset)} limit :limit::bigint + 1 offset :offset`;
  const written = keyset.columns.map(({ type }, place) => types[type].written(`page.key_${place}`));
  const sql = unnamed(`
    select to_json(counted) as counted, page.*, array[${written.join(', ')}] as position
      from (${isCounted ? count : 'select 1'}) counted left join (${page}) page on true
     order by ${orderOf(keyset, (_, place) => `page.key_${place}`)}`);
  type Found = Row & { counted: Counted & { total: number }; is_row: true | null; position: (string | null)[] };
  const all: Values = { ...values, ...valuesAfter(keyset, cursor), limit, offset: cursor ? 0 : offset };
  // Without the count, some values have no parameter.
  const used = Object.fromEntries(sql.parameters.map((name) => [name, all[name]]));
  const found = await reports.query<Found>(sql, used);
  // An empty page is one row with nothing but the figures.
  const rows = found.filter(({ is_row }) => is_row).slice(0, limit);
  return {
    counted: isCounted ? found[0]!.counted : null,
    rows,
    next: found.length > limit ? { order: keyset.name, values: rows.at(-1)!.position } : null,
  };
}
