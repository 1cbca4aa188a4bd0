import { z } from 'zod';
import { csvLine, timesIn, toCell } from '../../domain/formats/csv.ts';
import { innermost } from '../validation/validate.ts';

/** How the rows of a list become the lines of a file. `spec 19.66` */
export interface CsvForm<Body = unknown> {
  /** Begins the name of the file. */
  name: string;
  /** Its fields are the columns, those of an object in it too: `usage.total_jobs`. */
  row: z.ZodObject;
  /** The rows of one page. */
  rows(page: Body): readonly object[];
}

interface Column {
  path: readonly string[];
  isTime: boolean;
}

function columnsOf(row: z.ZodObject, parents: readonly string[] = []): Column[] {
  return Object.entries(row.shape).flatMap(([name, field]) => {
    const schema = innermost(field);
    const path = [...parents, name];
    if (schema instanceof z.ZodObject) return columnsOf(schema, path);
    return [{ path, isTime: schema instanceof z.ZodISODateTime }];
  });
}

const valueAt = (row: object, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], row);

/** The header line, and what makes the line of a row. */
export function csvLines({ row }: Pick<CsvForm, 'row'>, timeZone: string) {
  const columns = columnsOf(row);
  const formatTime = timesIn(timeZone);
  return {
    header: csvLine(columns.map(({ path }) => path.join('.'))),
    toLine: (one: object): string =>
      csvLine(
        columns.map(({ path, isTime }) => {
          const value = valueAt(one, path);
          return isTime && typeof value === 'string' ? formatTime(value) : toCell(value);
        }),
      ),
  };
}

/** These parameters change what part of the list is sent, or how, and not what it is a list of. */
const notInName = new Set(['format', 'tz', 'limit', 'offset', 'cursor', 'count']);

/** Longer names cannot be stored everywhere. */
const maxNameCharacters = 150;

/** The name of the file has the filter and the range: `transactions_team_id-acme_from-2026-01-01.csv`. */
export function csvFileName({ name }: Pick<CsvForm, 'name'>, query: Record<string, unknown>): string {
  const filters = Object.entries(query)
    .filter(([key, value]) => !notInName.has(key) && value !== undefined && value !== null)
    .map(([key, value]) => `${key}-${[value].flat().join('+')}`);
  const safe = [name, ...filters].join('_').replace(/[^A-Za-z0-9._+-]/g, '-');
  return `${safe.slice(0, maxNameCharacters)}.csv`;
}
