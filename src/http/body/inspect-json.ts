import { jsonProblem, tooDeep } from '../../domain/json-problem.ts';
import type { Invalid } from '../../errors.ts';

/**
 * Far beyond what any valid request needs: half a megabyte of brackets takes half a second to build; ten megabytes of small
 * members take five seconds, in which no other request is served, to build, check and hash; this many take a tenth of a second.
 */
const absurd: Bounds = { depth: 10_000, values: 100_000 };
const tooMany = { msg: `JSON holds more than ${absurd.values} keys and values`, type: 'too_long' };

/** Checks the text before anything is built from it. */
export function inspectText(text: string): Invalid[] {
  const exceeded = boundExceeded(text, absurd);
  return exceeded ? [{ loc: ['body'], ...(exceeded === 'depth' ? tooDeep : tooMany) }] : [];
}

/** Nothing, or one item of a 422. */
export function inspectJson(root: unknown, source: 'body' | 'query' = 'body'): Invalid[] {
  const found = jsonProblem(root);
  return found ? [{ ...found, loc: [source, ...found.loc] }] : [];
}

const quote = 0x22;
const backslash = 0x5c;

/** The place of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  const first = text.indexOf('"', start + 1);
  if (first === -1) return text.length;
  if (text.charCodeAt(first - 1) !== backslash) return first;
  // It may be escaped. A search for the next one costs more than to look at each character, where one in two is escaped.
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
  /** Keys and values, counted by what stands before and between them: brackets, colons and commas. */
  values: number;
}

/** The bound that JSON text exceeds first. Reads the text without building its values, and no further than there. */
export function boundExceeded(text: string, bounds: Bounds): keyof Bounds | undefined {
  let depth = 0;
  let values = 0;
  for (let place = 0; place < text.length; place += 1) {
    switch (text[place]) {
      case '"':
        place = endOfString(text, place);
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
