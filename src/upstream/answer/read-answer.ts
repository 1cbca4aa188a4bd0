import { unreadable, webPage } from '../upstream-error.ts';
import { maxResponseCharacters } from './bounds.ts';
import { type Completion, readCompletion } from './completion.ts';
import { readSse, type SseEvent } from './read-sse.ts';
import type { ThreadShare } from './thread-share.ts';

/**
 * A piece of an answer: a completion or a chunk of one, the end mark `[DONE]`, something that is neither, or a part of a piece,
 * at which the stream ended.
 */
export type Received = Completion | 'done' | 'unreadable' | 'cut';

export interface AnswerSource {
  /** `body`: one JSON document, complete when it has arrived. `events`: a stream, whose end has to be proven. */
  form: 'body' | 'events';
  pieces: AsyncIterable<Received>;
}

/**
 * Reads an answer by its form and not by its content type or by what was requested: some servers answer a stream with one JSON
 * document, and a plain request with server-sent events.
 */
export async function readAnswer(body: AsyncIterable<Uint8Array>, thread: ThreadShare): Promise<AnswerSource> {
  const texts = decodeTexts(body);
  const head = await skipComments(texts);
  if (head.startsWith('<')) throw webPage();
  const isJson = head.startsWith('{') || head.startsWith('[');
  if (!isJson) return { form: 'events', pieces: piecesOfEvents(prepend(head, texts), thread) };
  const text = await readWhole(prepend(head, texts));
  const pieces = measured(piecesOfBody(text), thread);
  const [first, second] = [pieces.next(), pieces.next()];
  const begin = [first, second].flatMap(({ done, value }) => (done ? [] : [value]));
  return { form: begin.length === 1 ? 'body' : 'events', pieces: iterate(begin, pieces) };
}

async function* decodeTexts(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

async function* prepend(head: string, texts: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield head;
    yield* texts;
  } finally {
    await texts.return(undefined);
  }
}

async function* iterate(begin: Received[], rest: Iterable<Received>): AsyncGenerator<Received> {
  yield* begin;
  yield* rest;
}

/** The same pieces; their reading is counted. */
function* measured(pieces: Iterator<Received>, thread: ThreadShare): Generator<Received> {
  for (;;) {
    const { done, value } = thread.measure(() => pieces.next());
    if (done) return;
    yield value;
  }
}

/**
 * Skips blanks and comments, which some servers send to keep a connection alive before either form of an answer. Returns the
 * text from the first character that is neither; empty if there is none.
 */
async function skipComments(texts: AsyncGenerator<string>): Promise<string> {
  let head = '';
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    head = withoutComments(head + next.value);
    if (head && !head.startsWith(':')) return head;
    // A comment that has not ended is kept as its mark only, however long it becomes.
    if (head) head = ':';
  }
  return '';
}

/** The text without the blanks and comments at its beginning. A comment whose line has not ended is left. */
function withoutComments(text: string): string {
  let rest = text.trimStart();
  while (rest.startsWith(':')) {
    const end = rest.search(/[\r\n]/);
    if (end < 0) return rest;
    rest = rest.slice(end).trimStart();
  }
  return rest;
}

/** Throws `UpstreamError` if the text is larger than `maxResponseCharacters`. */
async function readWhole(texts: AsyncIterable<string>): Promise<string> {
  const all: string[] = [];
  let size = 0;
  for await (const text of texts) {
    size += text.length;
    if (size > maxResponseCharacters) throw unreadable();
    all.push(text);
  }
  return all.join('');
}

/** One completion; or several, in an array or one a line. */
function* piecesOfBody(text: string): Generator<Received> {
  const value = parse(text);
  if (value === undefined) return yield* piecesOfLines(text);
  for (const one of [value].flat()) yield readCompletion(one) ?? 'unreadable';
}

async function* piecesOfEvents(texts: AsyncIterable<string>, thread: ThreadShare): AsyncGenerator<Received> {
  for await (const event of readSse(texts)) yield* measured(piecesOfEvent(event), thread);
}

const isKeepAlive = (text: string): boolean => /^\[?(?:ping|keep-?alive|heartbeat)\]?$/i.test(text);

function* piecesOfEvent({ type, data, isCut }: SseEvent): Generator<Received> {
  if (isKeepAlive(type)) return;
  if (type === 'error') return yield readErrorEvent(data);
  // Several lines are one document, or one document each where a server omits the blank lines between events.
  const document = data.includes('\n') ? readCompletion(parse(data)) : undefined;
  const pieces = document ? [document] : piecesOfLines(data);
  if (!isCut) return yield* pieces;
  let last: Received | undefined;
  for (const piece of pieces) {
    if (last) yield last;
    last = piece;
  }
  if (last !== 'unreadable') return yield* last ? [last] : [];
  const lastLine = data.slice(data.lastIndexOf('\n') + 1).trim();
  if (!'[DONE]'.startsWith(lastLine)) yield 'cut';
}

function readErrorEvent(data: string): Received {
  const value = parse(data);
  const completion = readCompletion(value) ?? readCompletion({})!;
  return { ...completion, error: completion.error || value || data || true };
}

/** Yields the pieces one by one: there may be a million of them. */
function* piecesOfLines(text: string): Generator<Received> {
  for (const line of text.split(/[\r\n]+/)) {
    const piece = readLine(line);
    if (piece) yield piece;
  }
}

/** Undefined for what only keeps the connection alive. */
function readLine(line: string): Received | undefined {
  let text = line.trim();
  // Some proxies send each line of a stream, comments too, as the data of an event.
  while (text.startsWith('data:')) text = text.slice('data:'.length).trim();
  if (text === '' || text === 'null' || isKeepAlive(text) || /^(?:|event|id|retry):/.test(text)) return undefined;
  if (text === '[DONE]' || text === '"[DONE]"') return 'done';
  return readCompletion(parse(text)) ?? 'unreadable';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
