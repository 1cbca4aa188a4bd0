import { setTimeout as pause } from 'node:timers/promises';
import { Cursor } from '../../contracts/cursor.ts';
import { Unavailable } from '../../errors.ts';
import { requestFields } from '../../log.ts';
import { pageHeaders } from '../next-cursor.ts';
import type { RequestContext } from '../route.ts';
import { CsvFile } from './csv-file.ts';
import { type CsvForm, csvFileName, csvLines } from './csv-form.ts';

type Query = Record<string, unknown>;

export const wantsCsv = ({ query }: RequestContext): boolean => (query as Query).format === 'csv';

/** A page has so many rows: a statement of some ten milliseconds. */
const rowsOfPage = 1_000;

/** Without it, spreadsheets read a file as of the code page of their country, and show other letters than the ASCII ones wrongly. */
const byteOrderMark = '\ufeff';

/** The first page may be refused as a list is. Later ones are tried again, because part of the file was sent. */
const maxTries = 5;
const pauseMs = 1_000;

/** Reads a page as the handler of the list does, with its own headers. */
export type ReadPage = (context: RequestContext) => Promise<unknown>;

export interface FileParts {
  first: ReadPage;
  later: ReadPage;
  /** A page as the list is sent. */
  check(page: unknown): unknown;
  /** Does work on a page when the turn of its reader has come. */
  inTurn<T>(work: () => T): Promise<T>;
}

interface Page {
  lines: string;
  next: string | null;
}

/**
 * The whole list as a file. It is read page by page, each in a short statement of its own: a client that reads slowly holds no
 * transaction and no connection. Rows that are added meanwhile come before the first page of a list that has the newest first.
 */
export async function exportCsv(
  form: CsvForm,
  context: RequestContext,
  { first, later, check, inTurn }: FileParts,
): Promise<CsvFile> {
  const query = context.query as Query;
  const { header, toLine: lineOf } = csvLines(form, query.tz as string);
  const readCsvPage = async (read: ReadPage, position: Query): Promise<Page> => {
    const headers = new Map<string, string>();
    const setHeader = (name: string, value: string) => void headers.set(name, value);
    const part = {
      ...query,
      ...position,
      format: 'json',
      limit: rowsOfPage,
      ...('count' in query && { count: 'none' }),
    };
    const unchecked = await read({ ...context, query: part, setHeader });
    return inTurn(() => {
      const page = check(unchecked);
      const { next_cursor = headers.get(pageHeaders.next) ?? null } = page as { next_cursor?: string | null };
      return { lines: form.rows(page).map(lineOf).join(''), next: next_cursor };
    });
  };
  const begin = await readCsvPage(first, { cursor: query.cursor ?? null });

  async function* parts(): AsyncGenerator<string> {
    let { lines, next } = begin;
    yield byteOrderMark + header + lines;
    while (next !== null) {
      const cursor = Cursor.parse(next);
      const read = () => readCsvPage(later, { cursor });
      ({ lines, next } = await retryPage(read, context).catch((error: unknown) => {
        // The connection is closed before the last chunk of HTTP, so that the client sees that a part is missing.
        if (!context.disconnected.aborted)
          context.deps.log.warn({ err: error, ...requestFields(context), list: form.name }, 'csv: file broken off');
        throw error;
      }));
      yield lines;
    }
  }
  return new CsvFile(csvFileName(form, query), parts());
}

async function retryPage(read: () => Promise<Page>, { disconnected }: RequestContext): Promise<Page> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      if (tries === maxTries || !(error instanceof Unavailable)) throw error;
      await pause(tries * pauseMs, undefined, { signal: disconnected });
    }
  }
}
