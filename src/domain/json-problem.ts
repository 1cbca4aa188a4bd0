/** `spec 1.5`: what JSON in a request may not hold, whatever it is for. PostgreSQL would refuse most of it. */
const deepest = 32;
export const tooDeep = { msg: `JSON is nested more than ${deepest} deep`, type: 'recursion_limit' };
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);
const nul = '\u0000';

type Key = string | number;
export interface JsonProblem {
  /** The path to the problem from here inwards; grows at its front on the way out. */
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

const problem = (msg: string | undefined): JsonProblem | undefined =>
  msg === undefined ? undefined : { loc: [], msg, type: 'value_error' };

/** `depth` counts the values around this one; the body itself is at 0. The limit ends the recursion before the stack does. */
function problemIn(value: unknown, depth: number): JsonProblem | undefined {
  if (typeof value === 'string') return problem(wrongText(value));
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > deepest) return { loc: [], ...tooDeep };
  return Array.isArray(value) ? problemInItems(value, depth + 1) : problemInMembers(value, depth + 1);
}

function problemInItems(items: unknown[], depth: number): JsonProblem | undefined {
  for (const [index, item] of items.entries()) {
    const found = problemIn(item, depth);
    if (found) return within(index, found);
  }
  return undefined;
}

function problemInMembers(members: object, depth: number): JsonProblem | undefined {
  for (const [key, member] of Object.entries(members)) {
    const found = problem(wrongKey(key));
    if (found) return found;
    const inner = problemIn(member, depth);
    if (inner) return within(key, inner);
  }
  return undefined;
}

const within = (key: Key, found: JsonProblem): JsonProblem => {
  found.loc.unshift(key);
  return found;
};

/** The first thing in `root` that JSON in a request may not hold. */
export const jsonProblem = (root: unknown): JsonProblem | undefined => problemIn(root, 0);
