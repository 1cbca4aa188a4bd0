import { type Database, statement } from './database.ts';

/** A list; `from` and `count` share the values `$1`, `$2`, …. */
export interface Listing {
  name: string;
  columns: string;
  /** Tables and conditions. */
  from: string;
  /** By columns of the answer, the last of them unique, so that two pages never show the same row. */
  order: string;
  /** A select of one number, `total`: how many rows `from` has. */
  count: string;
}

/** At most `limit` rows, from `offset` on. */
export interface Page {
  limit: number;
  offset: number;
}

/**
 * A page and how many rows there are in all, at one moment: with two statements a row written between them would be counted but
 * not shown.
 */
export async function readPage<Row extends object>(
  database: Database,
  { name, columns, from, order, count }: Listing,
  values: readonly unknown[],
  { limit, offset }: Page,
): Promise<{ total: number; rows: Row[] }> {
  const page = `select true as is_row, ${columns} from ${from}
      order by ${order} limit $${values.length + 1} offset $${values.length + 2}`;
  const sql = statement(
    name,
    `select counted.total, page.* from (${count}) counted left join (${page}) page on true order by ${order}`,
  );
  const found = await database.query<Row & { total: number; is_row: true | null }>(sql, [...values, limit, offset]);
  // An empty page is one row with nothing but the total.
  return { total: found[0]!.total, rows: found.filter(({ is_row }) => is_row) };
}
