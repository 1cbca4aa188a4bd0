import type { Response } from 'express';
import type { ErrorCode } from '../errors.ts';
import { CsvFile } from './csv/csv-file.ts';
import { writeCsv } from './csv/write-csv.ts';
import { EventStream } from './stream/event-stream.ts';
import { writeEventStream } from './stream/write-event-stream.ts';

/** A reply, as text already: a repeated request gets the same bytes. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | EventStream | CsvFile;
  /** The code of an error. */
  code?: ErrorCode | undefined;
  /** The name of the limit or of the cap that refuses. */
  limit?: string | undefined;
}

/** What a handler returns for an answer with status 202: what goes on, and the path where it is read. */
export class Accepted {
  readonly body: object;
  readonly location: string;

  constructor(body: object, location: string) {
    this.body = body;
    this.location = location;
  }
}

/** `spec 26.1` */
const acceptedHeaders = { 'Preference-Applied': 'respond-async', 'Retry-After': '1' };

/** What a handler returns for an answer that is JSON text already: to write a long one at once would take seconds of the thread. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a handler returns for an answer with status 303: where a browser goes on. */
export class Redirect {
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }
}

/** What a handler returns for an answer with status 204. */
export const noContent = Symbol('no content');

/** The reply from the result of a handler. `produces`: the result is text of this type. */
export function toReply(result: unknown, produces?: string): Reply {
  if (result === noContent) return { status: 204, headers: {}, body: '' };
  if (result instanceof Redirect) return { status: 303, headers: { Location: result.location }, body: '' };
  if (result instanceof Accepted)
    return {
      status: 202,
      headers: { ...acceptedHeaders, Location: result.location },
      body: JSON.stringify(result.body),
    };
  if (result instanceof JsonText) return { status: 200, headers: {}, body: result.text };
  const headers: Record<string, string> = produces ? { 'Content-Type': produces } : {};
  if (result instanceof EventStream || result instanceof CsvFile) return { status: 200, headers, body: result };
  return { status: 200, headers, body: produces ? String(result) : JSON.stringify(result) };
}

/** The timeout of a client that reads nothing of its answer. Each read, however slow, restarts it. */
export const unreadMs = 120_000;
/** The buffers of a connection hold smaller answers, outside the memory of this process. */
const largeBody = 65_536;
export const isLargeBody = (body: string): boolean => body.length > largeBody;

/**
 * Sends the reply, a stream or a file to its end or until `disconnected`. Does nothing for a client that has been answered. Breaks the
 * connection of a client that does not read a large answer, a stream or a file.
 */
export async function writeReply(
  response: Response,
  { status, headers, body }: Reply,
  disconnected: AbortSignal,
  timeoutMs = unreadMs,
): Promise<void> {
  if (response.headersSent) return;
  response.status(status).set(headers);
  if (body instanceof EventStream) return writeEventStream(response, body, disconnected, timeoutMs);
  if (body instanceof CsvFile) return writeCsv(response, body, disconnected, timeoutMs);
  if (status === 204) return void response.end();
  if (isLargeBody(body)) response.setTimeout(timeoutMs);
  response.type(headers['Content-Type'] ?? 'json').send(body);
}
