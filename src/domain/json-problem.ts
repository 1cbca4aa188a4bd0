// What JSON in a request must not contain, whatever it is for (`spec 1.5`). PostgreSQL would reject most of it.

const maxDepth = 32;
export const tooDeep = { msg: `JSON is nested more than ${maxDepth} deep`, type: 'recursion_limit' };
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);
const nul = '\u0000';

type Key = string | number;
export interface JsonProblem {
  /** The path to the problem. Keys are added at its front while the recursion returns. */
  loc: Key[];
  msg: string;
  type: string;
}

const textProblem = (text: string): string | undefined =>
  text.includes(nul)
    ? 'String must not contain NUL characters'
    : text.isWellFormed()
      ? undefined
      : 'String must not contain lone surrogates';

const keyProblem = (key: string): string | undefined =>
  forbiddenKeys.has(key) ? `Key '${key}' is not allowed` : textProblem(key);

const problem = (msg: string | undefined): JsonProblem | undefined =>
  msg === undefined ? undefined : { loc: [], msg, type: 'value_error' };

/** `depth` is the number of values around this one: 0 for the body. The limit also keeps the recursion from filling the stack. */
function problemIn(value: unknown, depth: number): JsonProblem | undefined {
  if (typeof value === 'string') return problem(textProblem(value));
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > maxDepth) return { loc: [], ...tooDeep };
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
    const found = problem(keyProblem(key));
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

/** The first problem in `root`; undefined if there is none. */
export const jsonProblem = (root: unknown): JsonProblem | undefined => problemIn(root, 0);
