import type { Invalid } from '../errors.ts';
import { type Bounds, boundExceeded } from './json-bounds.ts';

/** `rulings.md` 1.5: what JSON may not hold, whatever the route makes of it. */
const deepest = 32;
const tooDeep = { msg: `JSON is nested more than ${deepest} deep`, type: 'recursion_limit' };
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);
const nul = '\u0000';

type Key = string | number;
interface Problem {
  /** From the place inwards; grows at its front on the way out. */
  loc: Key[];
  msg: string;
  type: string;
}

const wrongText = (text: string): string | undefined =>
  text.includes(nul)
    ? 'String must not contain NUL characters'
    : text.isWellFormed()
      ? undefined
      : 'String must not contain lone surrogates';

const wrongKey = (key: string): string | undefined =>
  forbiddenKeys.has(key) ? `Key '${key}' is not allowed` : wrongText(key);

const problem = (msg: string | undefined): Problem | undefined =>
  msg === undefined ? undefined : { loc: [], msg, type: 'value_error' };

/** `depth` counts what lies around the value; the body itself is at 0. It ends the recursion before the stack does. */
function problemIn(value: unknown, depth: number): Problem | undefined {
  if (typeof value === 'string') return problem(wrongText(value));
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > deepest) return { loc: [], ...tooDeep };
  return Array.isArray(value) ? problemInItems(value, depth + 1) : problemInMembers(value, depth + 1);
}

function problemInItems(items: unknown[], depth: number): Problem | undefined {
  for (const [index, item] of items.entries()) {
    const found = problemIn(item, depth);
    if (found) return within(index, found);
  }
  return undefined;
}

function problemInMembers(members: object, depth: number): Problem | undefined {
  for (const [key, member] of Object.entries(members)) {
    const found = problem(wrongKey(key));
    if (found) return found;
    const inner = problemIn(member, depth);
    if (inner) return within(key, inner);
  }
  return undefined;
}

const within = (key: Key, found: Problem): Problem => {
  found.loc.unshift(key);
  return found;
};

/**
 * Far beyond what is read anyway: half a megabyte of brackets takes half a second to build, and ten megabytes of small
 * members take five seconds of everybody's to build, look through and hash; so many take a tenth of one.
 */
const absurd: Bounds = { depth: 10_000, values: 100_000 };
const tooMany = { msg: `JSON holds more than ${absurd.values} keys and values`, type: 'too_long' };

/** Looked at before anything is built from it. */
export function inspectText(text: string): Invalid[] {
  const exceeded = boundExceeded(text, absurd);
  return exceeded ? [{ loc: ['body'], ...(exceeded === 'depth' ? tooDeep : tooMany) }] : [];
}

/** The first thing in it that no JSON of ours may hold: nothing, or one item of a 422. */
export function inspectJson(root: unknown, source: 'body' | 'query' = 'body'): Invalid[] {
  const found = problemIn(root, 0);
  return found ? [{ ...found, loc: [source, ...found.loc] }] : [];
}
