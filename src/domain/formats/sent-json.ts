import { readMembers } from './json-members.ts';

// What a client sends for the model alone goes on as it was written: `JSON.parse` orders keys that look like numbers, and
// `JSON.stringify` writes 1.0 as 1. See decision 103.

/** The members of a JSON object as they were sent, by their names: JSON text without the spaces between its values. */
export type SentMembers = ReadonlyMap<string, string>;

export const nothingSent: SentMembers = new Map();

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const space = 0x20;
const minus = 0x2d;
const underscore = 0x5f;
const [zero, nine] = [0x30, 0x39];

/** The text without spaces between its values, and how many members its objects have. */
function compact(text: string): { text: string; members: number } {
  const pieces: string[] = [];
  let members = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = lastOfString(text, at);
    else if (code === colon) members += 1;
    else if (code <= space) {
      if (at > from) pieces.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return { text: pieces.length === 0 ? text.slice(from) : [...pieces, text.slice(from)].join(''), members };
}

/** The index of the quote that ends the string which begins at `start`. */
function lastOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - 1 - before) % 2 === 0) return end;
  }
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countMembers(item), 0);
  const inner = Object.values(value);
  return inner.reduce<number>((sum, member) => sum + countMembers(member), inner.length);
}

/** A slash needs no escape, and data URLs are looked for in the text. */
const withPlainSlashes = (text: string): string =>
  text.includes('\\/') ? text.replace(/\\(.)/gs, (all, escaped) => (escaped === '/' ? '/' : all)) : text;

const isDigit = (code: number): boolean => code >= zero && code <= nine;
const numberAt = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const keyLikeNumberAt = /"\d+"\s*:/y;
const protoAt = /"__proto__"/y;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function isRewrittenKey(text: string, at: number): boolean {
  const first = text.charCodeAt(at + 1);
  if (isDigit(first)) return matchAt(keyLikeNumberAt, text, at) !== undefined;
  return first === underscore && matchAt(protoAt, text, at) !== undefined;
}

/**
 * Whether `JSON.stringify` writes what `JSON.parse` has read in another order or in other words: keys that look like numbers, escapes
 * that are not needed, numbers such as 1.0, 1e2, -0 and those of many digits. Few texts have any.
 */
function isRewritten(text: string): boolean {
  if (text.includes('\\u') || text.includes('\\/')) return true;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      if (isRewrittenKey(text, at)) return true;
      at = lastOfString(text, at);
    } else if (code === minus || isDigit(code)) {
      const number = matchAt(numberAt, text, at)!;
      if (String(Number(number)) !== number) return true;
      at += number.length - 1;
    }
  }
  return false;
}

/**
 * The members of a valid JSON text, where it differs from what `JSON.stringify` makes of them; else none. None if a key occurs twice in one object, wherever it is: it has no one meaning, and the last
 * value, which was checked, is what counts. `parsed`: what `JSON.parse` has made of the text.
 */
export function readSent(json: string, parsed: unknown): SentMembers {
  if (typeof parsed !== 'object' || parsed === null || !isRewritten(json)) return nothingSent;
  const { text, members } = compact(json);
  if (members !== countMembers(parsed)) return nothingSent;
  return new Map(Array.from(readMembers(withPlainSlashes(text)), ({ name, value }) => [name, value]));
}

/** The bytes of the text, where each escaped character counts two: it has as many in UTF-8 as others of its script. */
export function bytesOfJson(text: string): number {
  const bytes = Buffer.byteLength(text);
  if (!text.includes('\\u')) return bytes;
  let escapes = 0;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at + 2)) if (text[at + 1] === 'u') escapes += 1;
  return bytes - 4 * escapes;
}

const bytesOfEscape = 6;
const bytesOfUnit = (unit: number): number => {
  if (unit < 0x80) return 1;
  // Half of a surrogate pair, which has four.
  return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
};

/** The bytes of the text in UTF-8, as if no character were escaped by its number. */
export function utf8BytesOfJson(text: string): number {
  let bytes = Buffer.byteLength(text);
  if (!text.includes('\\u')) return bytes;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at + 2))
    if (text[at + 1] === 'u') bytes += bytesOfUnit(Number.parseInt(text.slice(at + 2, at + 6), 16)) - bytesOfEscape;
  return bytes;
}
