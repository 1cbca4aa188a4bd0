import type { Request } from 'express';
import { parseExactJson } from '../../domain/exact-json.ts';
import { type Invalid, InvalidRequest, invalid, refuse } from '../../errors.ts';
import { inspectJson, inspectText } from './inspect-json.ts';
import { jsonErrorPosition } from './json-error-position.ts';

const charsetOf = (contentType: string) => /;\s*charset\s*=\s*"?([^;"\s]*)/i.exec(contentType)?.[1]?.toLowerCase();

const isJson = (contentType: string) => /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType.trim());

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A body as `JSON.parse` reads it, and the same with the numbers that a double cannot hold: `parseExactJson`. */
export interface ParsedBody {
  value: unknown;
  exact: unknown;
}

/**
 * JSON from the bytes; undefined for an empty body. A byte order mark is dropped. Throws the items of a 422, and a 415 for a
 * charset other than UTF-8. A body declared as another type is refused as FastAPI does: it is not an object.
 */
export function parseBody({ headers }: Request, bytes: Buffer): ParsedBody | undefined {
  const contentType = headers['content-type'] ?? '';
  const charset = charsetOf(contentType) ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8') throw refuse('body_not_readable', 'charset');
  if (bytes.length === 0) return undefined;
  if (!isJson(contentType)) throw new InvalidRequest([notAnObject]);
  const text = decode(bytes);
  refuseAny(inspectText(text));
  const value = parseJson(text);
  refuseAny(inspectJson(value));
  return { value, exact: parseExactJson(text, value) };
}

function refuseAny(problems: Invalid[]): void {
  if (problems.length > 0) throw new InvalidRequest(problems);
}

const notAnObject = {
  loc: ['body'],
  msg: 'Input should be a valid dictionary or object to extract fields from',
  type: 'model_attributes_type',
};

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
