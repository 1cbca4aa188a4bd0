import type { Invalid } from '../errors.ts';

/** `rulings.md` 1.5: what JSON may not hold, whatever the route makes of it. */
const deepest = 32;
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);
const nul = '\u0000';

const wrongText = (text: string): string | undefined =>
  text.includes(nul)
    ? 'String must not contain NUL characters'
    : text.isWellFormed()
      ? undefined
      : 'String must not contain lone surrogates';

interface Place {
  value: unknown;
  loc: (string | number)[];
}

const children = ({ value, loc }: Place): Place[] =>
  Array.isArray(value)
    ? value.map((item, index) => ({ value: item, loc: [...loc, index] }))
    : Object.entries(value as object).map(([key, item]) => ({ value: item, loc: [...loc, key] }));

function wrongKey(value: object): string | undefined {
  for (const key of Object.keys(value)) {
    if (forbiddenKeys.has(key)) return `Key '${key}' is not allowed`;
    const wrong = wrongText(key);
    if (wrong) return wrong;
  }
  return undefined;
}

/** Walks level by level, not by recursion, so that depth can be refused rather than suffered. */
export function inspectJson(root: unknown): Invalid[] {
  let level: Place[] = [{ value: root, loc: ['body'] }];
  for (let depth = 0; level.length > 0; depth++) {
    const next: Place[] = [];
    for (const place of level) {
      const { value, loc } = place;
      if (typeof value === 'string') {
        const msg = wrongText(value);
        if (msg) return [{ loc, msg, type: 'value_error' }];
      } else if (typeof value === 'object' && value !== null) {
        if (depth >= deepest)
          return [{ loc: ['body'], msg: `JSON is nested more than ${deepest} deep`, type: 'recursion_limit' }];
        const msg = Array.isArray(value) ? undefined : wrongKey(value);
        if (msg) return [{ loc, msg, type: 'value_error' }];
        for (const child of children(place)) next.push(child);
      }
    }
    level = next;
  }
  return [];
}
