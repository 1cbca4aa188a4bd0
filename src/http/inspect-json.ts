import { jsonProblem, tooDeep } from '../domain/json-problem.ts';
import type { Invalid } from '../errors.ts';
import { type Bounds, boundExceeded } from './json-bounds.ts';

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
