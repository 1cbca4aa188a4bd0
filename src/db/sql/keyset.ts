import { z } from 'zod';
import type { ListPosition } from '../../contracts/cursor.ts';
import { invalid } from '../../errors.ts';
import { byCharacters } from './by-characters.ts';
import type { Values } from './statement.ts';

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

/** An order in which every row has a position of its own: the last column is different in each. `name` identifies it in cursors. */
export interface Keyset {
  name: string;
  columns: readonly KeyColumn[];
}

/** Texts have the order of their characters' numbers, whatever the locale of the cluster: `byCharacters`. */
const ordered = ({ type }: KeyColumn, sql: string): string => (type === 'text' ? byCharacters(sql) : sql);

/** What a column is compared and ordered as. */
export const columnSql = (column: KeyColumn): string => ordered(column, column.sql);

/** The text for `order by`. `sqlOf` names the columns in another way. */
export const orderBySql = ({ columns }: Keyset, sqlOf = (column: KeyColumn, _index: number) => column.sql): string =>
  columns
    .map((column, index) => {
      const nulls = column.isNullable ? ' nulls last' : '';
      return `${ordered(column, sqlOf(column, index))} ${column.direction}${nulls}`;
    })
    .join(', ');

const parameterSql = ({ type }: KeyColumn, index: number): string => `:after_${index}::${type}`;
const beyond = ({ direction }: KeyColumn): string => (direction === 'desc' ? '<' : '>');

/** One comparison of rows, which an index can begin with. */
const compareRows = (columns: readonly KeyColumn[]): string =>
  `(${columns.map(columnSql).join(', ')}) ${beyond(columns[0]!)} (${columns.map(parameterSql).join(', ')})`;

/** Compares columns of different directions, or with nulls: an index can begin with the first comparison. */
function compareInTurn(columns: readonly KeyColumn[], values: ListPosition['values']): string {
  return columns.reduceRight((rest, column, index) => {
    const { isNullable } = column;
    const sql = columnSql(column);
    if (values[index] === null) return `(${sql} is null and ${rest})`;
    const orNull = isNullable ? ` or ${sql} is null` : '';
    const compare = (operator: string) => `(${sql} ${operator} ${parameterSql(column, index)}${orNull})`;
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
  columns.every(({ type, isNullable }, index) => {
    const value = values[index]!;
    return value === null ? isNullable : types[type].read.safeParse(value).success;
  });

/** The parameters of `afterPosition`. Refuses a cursor that is of another list or order with 422. */
export function valuesAfter(keyset: Keyset, position: ListPosition | null | undefined): Values {
  if (!position) return {};
  if (!fits(keyset, position))
    throw invalid(['query', 'cursor'], 'Input should be a next_cursor of this list in this order');
  const given = position.values.map((value, index) => [`after_${index}`, value]);
  return Object.fromEntries(given.filter(([, value]) => value !== null));
}

/** The values of a position, as an array of text. `sqlOf` names the columns. */
export const positionSql = ({ columns }: Keyset, sqlOf: (index: number) => string): string =>
  `array[${columns.map(({ type }, index) => types[type].written(sqlOf(index))).join(', ')}]`;
