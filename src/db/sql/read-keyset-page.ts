import type { ListPosition } from '../../contracts/cursor.ts';
import type { Reports } from '../connection/reports.ts';
import { afterPosition, type Keyset, orderBySql, positionSql, valuesAfter } from './keyset.ts';
import { unnamed, type Values } from './statement.ts';

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
  /** An offset is not given together with a cursor. */
  offset?: number;
  /** Null or absent: from the first row on. */
  cursor?: ListPosition | null | undefined;
  /** `none`: neither the total nor the other figures are read. */
  count?: 'exact' | 'none';
}

export interface KeysetPageResult<Row, Counted = object> {
  /** Null where it was not to be counted. */
  counted: (Counted & { total: number }) | null;
  rows: Row[];
  /** The position of the last row; null where the list has no further row. */
  next: ListPosition | null;
}

/** What a page is read from: a database, or one of its snapshots. */
export interface PageSource {
  reports: Pick<Reports, 'query'>;
}

/** A page and the figures of the whole list, of one snapshot. */
export async function readKeysetPage<Row extends object, Counted extends object = object>(
  { reports }: PageSource,
  { columns, keyset, from, count }: KeysetListing,
  values: Values,
  { limit, offset = 0, cursor, count: counting = 'exact' }: KeysetPage,
): Promise<KeysetPageResult<Row, Counted>> {
  const isCounted = counting === 'exact';
  const keys = keyset.columns.map(({ sql }, index) => `${sql} as key_${index}`);
  // One row more than the page has shows whether there is a next page.
  const page = `
    select true as is_row, ${columns}, ${keys.join(', ')} from ${from(afterPosition(keyset, cursor))}
     order by ${orderBySql(keyset)} limit :limit::bigint + 1 offset :offset`;
  const sql = unnamed(`
    select to_json(counted) as counted, page.*, ${positionSql(keyset, (index) => `page.key_${index}`)} as position
      from (${isCounted ? count : 'select 1'}) counted left join (${page}) page on true
     order by ${orderBySql(keyset, (_, index) => `page.key_${index}`)}`);
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
