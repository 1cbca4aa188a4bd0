import { isRawNumber } from './exact-json.ts';

// What JSON in a request must not contain, whatever it is for (`spec 1.5`). PostgreSQL would reject most of it.

export const maxDepth = 32;
export const tooDeep = (depth: number) => ({ msg: `JSON is nested more than ${depth} deep`, type: 'recursion_limit' });

/** Default: the bounds of `spec 1.5`. `isForwarded`: any key and any text is taken. */
export interface JsonForm {
  depth?: number;
  isForwarded?: boolean;
}
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

interface Checked {
  maxDepth: number;
  isForwarded: boolean;
}

/** `depth` is the number of values around this one: 0 for the body. The limit also keeps the recursion from filling the stack. */
function problemIn(value: unknown, depth: number, checked: Checked): JsonProblem | undefined {
  if (typeof value === 'string') return checked.isForwarded ? undefined : problem(textProblem(value));
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > checked.maxDepth) return { loc: [], ...tooDeep(checked.maxDepth) };
  return Array.isArray(value) ? problemInItems(value, depth + 1, checked) : problemInMembers(value, depth + 1, checked);
}

function problemInItems(items: unknown[], depth: number, checked: Checked): JsonProblem | undefined {
  for (const [index, item] of items.entries()) {
    const found = problemIn(item, depth, checked);
    if (found) return within(index, found);
  }
  return undefined;
}

function problemInMembers(members: object, depth: number, checked: Checked): JsonProblem | undefined {
  for (const [key, member] of Object.entries(members)) {
    const found = checked.isForwarded ? undefined : problem(keyProblem(key));
    if (found) return found;
    const inner = problemIn(member, depth, checked);
    if (inner) return within(key, inner);
  }
  return undefined;
}

const within = (key: Key, found: JsonProblem): JsonProblem => {
  found.loc.unshift(key);
  return found;
};

/** The first problem in `root`; undefined if there is none. */
export const jsonProblem = (root: unknown, { depth = maxDepth, isForwarded = false }: JsonForm = {}) =>
  problemIn(root, 0, { maxDepth: depth, isForwarded });

/** The value with U+FFFD for each half of a surrogate pair, in keys too. The same object if it has none. Recursive: for checked depths. */
export function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T;
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  if (Array.isArray(value)) {
    const items = value.map(wellFormed);
    return items.every((item, index) => item === value[index]) ? value : (items as T);
  }
  const entries = Object.entries(value);
  const members = entries.map(([key, member]) => [key.toWellFormed(), wellFormed(member)] as const);
  const isSame = members.every(([key, member], index) => key === entries[index]![0] && member === entries[index]![1]);
  return isSame ? value : (Object.fromEntries(members) as T);
}
