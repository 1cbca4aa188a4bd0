import Big from 'big.js';

// JSON.parse rounds an integer past 2^53 to the nearest double. Here such a number is kept as it was written.

/** A number that a double cannot hold exactly. `JSON.stringify` writes it as it was sent. */
interface RawNumber {
  readonly rawJSON: string;
}

/** TypeScript's own declarations do not have it yet: ECMAScript proposal `JSON.parse source text access`. */
interface SourceAccess {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}
const json = JSON as unknown as SourceAccess;

/** Every double below this holds its integers exactly. Fractions are rounded to the nearest double, as usual. */
const firstInexact = 2 ** 53;

/** A number of 16 digits or more, with any decimal point and exponent. Some matches are in strings. */
const longNumbers = /(?<=[[,:\s])-?\d[\d.]{15,}(?:[eE][+-]?\d+)?/g;

function isInexact(source: string): boolean {
  const value = Number(source);
  if (!Number.isFinite(value) || Math.abs(value) < firstInexact) return false;
  const back = String(value);
  return back !== source && !Big(back).eq(source);
}

export const isRawNumber = (value: unknown): value is RawNumber => json.isRawJSON(value);

/** One spelling for all of the same number. */
export const canonicalNumber = ({ rawJSON }: RawNumber): RawNumber => json.rawJSON(Big(rawJSON).toFixed());

/** Whether `parseExactJson` differs from `JSON.parse`: rare, and found without parsing. */
function mayBeInexact(text: string): boolean {
  for (const [source] of text.matchAll(longNumbers)) if (isInexact(source)) return true;
  return false;
}

/** `rounded`, which is what `JSON.parse` returns, or the same with a `RawNumber` for each integer that a double cannot hold. */
export const parseExactJson = (text: string, rounded: unknown = JSON.parse(text)): unknown =>
  mayBeInexact(text)
    ? json.parse(text, (_key, value, { source }) =>
        typeof value === 'number' && isInexact(source!) ? json.rawJSON(source!) : value,
      )
    : rounded;

/** The path to the first `RawNumber`; undefined if there is none. */
export function pathToRawNumber(value: unknown): (string | number)[] | undefined {
  if (isRawNumber(value)) return [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const path = pathToRawNumber(member);
    if (path) return [Array.isArray(value) ? Number(key) : key, ...path];
  }
  return undefined;
}
