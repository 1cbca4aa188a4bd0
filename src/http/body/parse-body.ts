import type { Request } from 'express';
import { parseExactJson } from '../../domain/formats/exact-json.ts';
import { type JsonForm, jsonProblem, maxDepth, tooDeep, wellFormed } from '../../domain/formats/json-problem.ts';
import { type Invalid, InvalidRequest, invalid, refuse } from '../../errors.ts';
import type { BodyForm } from '../route.ts';

/** The position is not searched for in longer texts: the search would take too long. */
const maxSearchedCharacters = 100_000;

const positionIn = (error: unknown): number | undefined => {
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return position === undefined ? undefined : Number(position);
};

/** The text could still become JSON if more followed. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const position = positionIn(error);
    return position === undefined ? (error as Error).message.includes('Unexpected end') : position >= text.length;
  }
}

/**
 * The position at which `JSON.parse` failed, in characters. V8 reports it for some errors only. For the others it is the end of
 * the longest beginning that could still become JSON, found by bisection.
 */
function jsonErrorPosition(error: unknown, text: string): number {
  const reported = positionIn(error);
  if (reported !== undefined) return reported;
  if (isBeginning(text)) return text.length;
  if (text.length > maxSearchedCharacters) return 0;
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

/**
 * No valid request needs so many. Half a megabyte of brackets takes half a second to parse. Ten megabytes of small members take
 * five seconds to parse, check and hash, in which no other request is served; as many as this take a tenth of a second.
 */
const maxValues = 100_000;
/** Deeper text is not even parsed. */
const maxParsedDepth = 10_000;
const tooMany = (values: number) => ({ msg: `JSON holds more than ${values} keys and values`, type: 'too_long' });

/** Checks the text before it is parsed. */
function inspectText(text: string, { depth = maxDepth, values = maxValues }: Partial<BodyForm>): Invalid[] {
  const exceeded = boundExceeded(text, { depth: maxParsedDepth, values });
  return exceeded ? [{ loc: ['body'], ...(exceeded === 'depth' ? tooDeep(depth) : tooMany(values)) }] : [];
}

/** Returns no item, or one of a 422. */
export function inspectJson(root: unknown, source: 'body' | 'query' = 'body', form: JsonForm = {}): Invalid[] {
  const found = jsonProblem(root, form);
  return found ? [{ ...found, loc: [source, ...found.loc] }] : [];
}

const quote = 0x22;
const backslash = 0x5c;

/** The index of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  const first = text.indexOf('"', start + 1);
  if (first === -1) return text.length;
  if (text.charCodeAt(first - 1) !== backslash) return first;
  // It may be escaped. If every second character is escaped, searching for the next quote costs more than reading each character.
  for (let end = start + 1; end < text.length; end += 1) {
    const character = text.charCodeAt(end);
    if (character === quote) return end;
    if (character === backslash) end += 1;
  }
  return text.length;
}

export interface Bounds {
  /** Brackets that are open at once. */
  depth: number;
  /** Keys and values, counted by the brackets, colons and commas before and between them. */
  values: number;
}

/** The bound that JSON text exceeds first. Reads the text up to there, without parsing it. */
export function boundExceeded(text: string, bounds: Bounds): keyof Bounds | undefined {
  let depth = 0;
  let values = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text[index]) {
      case '"':
        index = endOfString(text, index);
        break;
      case '[':
      case '{':
        depth += 1;
        values += 1;
        break;
      case ']':
      case '}':
        depth -= 1;
        break;
      case ',':
      case ':':
        values += 1;
        break;
    }
    if (depth > bounds.depth) return 'depth';
    if (values > bounds.values) return 'values';
  }
  return undefined;
}

const charsetOf = (contentType: string) => /;\s*charset\s*=\s*"?([^;"\s]*)/i.exec(contentType)?.[1]?.toLowerCase();

const isJson = (contentType: string) => /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType.trim());

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A body as `JSON.parse` reads it, and the same with the numbers that a double cannot hold: `parseExactJson`. */
export interface ParsedBody {
  value: unknown;
  exact: unknown;
  /** As it was sent; empty where the value has other characters. */
  text: string;
}

/**
 * JSON from the bytes; undefined for an empty body. A byte order mark is dropped. Throws the items of a 422, and a 415 for a
 * charset other than UTF-8. A body declared as another type is refused as FastAPI does: it is not an object.
 */
export function parseBody({ headers }: Request, bytes: Buffer, form: Partial<BodyForm> = {}): ParsedBody | undefined {
  const contentType = headers['content-type'] ?? '';
  const charset = charsetOf(contentType) ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8') throw refuse('body_not_readable', 'charset');
  if (bytes.length === 0) return undefined;
  if (!isJson(contentType)) throw new InvalidRequest([notJson(contentType)]);
  const text = decode(bytes);
  refuseAny(inspectText(text, form));
  const value = parseJson(text);
  refuseAny(inspectJson(value, 'body', form));
  const exact = parseExactJson(text, value);
  if (!form.isForwarded) return { value, exact, text };
  const whole = wellFormed(value);
  return { value: whole, exact: exact === value ? whole : wellFormed(exact), text: whole === value ? text : '' };
}

function refuseAny(problems: Invalid[]): void {
  if (problems.length > 0) throw new InvalidRequest(problems);
}

const notJson = (contentType: string) => ({
  loc: ['body'],
  msg: `${contentType ? `The Content-Type of the body is ${contentType.slice(0, 80)}` : 'The request has no Content-Type'}: JSON needs application/json`,
  type: 'model_attributes_type',
});

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid(['body'], 'Body is not valid UTF-8', 'json_invalid');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(['body', jsonErrorPosition(error, text)], 'JSON decode error', 'json_invalid');
  }
}
