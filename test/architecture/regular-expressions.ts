import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import type { z } from 'zod';
import type { Route } from '../../src/http/route.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const folders = '{src,workflows,activities}';

/** A regular expression in a file. `source` is undefined if it is built from text at run time. */
export type Found = { where: string; source: string | undefined; flags: string };

type Node = { type?: string; [field: string]: unknown };

/** Methods that convert a text argument to a regular expression. */
const takesPattern = new Set(['match', 'matchAll', 'search']);

function calledName({ callee }: Node): string {
  const { type, value, property } = callee as Node;
  return String(type === 'MemberExpression' ? (property as Node).value : value);
}

/** The text of a literal, without its quotes. */
function literalText(node: Node | undefined): string | undefined {
  if (node?.type === 'StringLiteral') return node.value as string;
  const { expressions, quasis } = (node ?? {}) as { expressions?: Node[]; quasis?: { cooked: string }[] };
  return node?.type === 'TemplateLiteral' && expressions?.length === 0 ? quasis?.[0]?.cooked : undefined;
}

/** The regular expression of this node, without those of its children. */
function regularExpressionAt(node: Node): Omit<Found, 'where'> | undefined {
  if (node.type === 'RegExpLiteral') return { source: node.pattern as string, flags: node.flags as string };
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined;
  const [pattern, flags] = ((node.arguments ?? []) as { expression: Node }[]).map(({ expression }) => expression);
  const name = calledName(node);
  const isText = pattern?.type === 'StringLiteral' || pattern?.type === 'TemplateLiteral';
  const isPattern = name === 'RegExp' || (isText && takesPattern.has(name));
  return isPattern ? { source: literalText(pattern), flags: literalText(flags) ?? '' } : undefined;
}

function regularExpressionsIn(node: unknown): Omit<Found, 'where'>[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = regularExpressionAt(node as Node);
  return [...(own ? [own] : []), ...Object.values(node).flatMap(regularExpressionsIn)];
}

export const findInText = (text: string): Omit<Found, 'where'>[] =>
  regularExpressionsIn(parseSync(text, { syntax: 'typescript', target: 'es2024' }));

/** The regular expressions in the source. */
export const findInSource = (): Found[] =>
  globSync(`${folders}/**/*.{ts,mts,js,mjs}`, { cwd: project, exclude: ['**/node_modules'] }).flatMap((where) =>
    findInText(readFileSync(`${project}/${where}`, 'utf8')).map((found) => ({ where, ...found })),
  );

/** The regular expressions of the schemas of parameters, queries and bodies, including those of the library. */
export function findInSchemas(routes: readonly Route[]): Found[] {
  const seen = new Set<unknown>();
  const found: Found[] = [];
  const visit = (where: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (value instanceof RegExp) found.push({ where, source: value.source, flags: value.flags });
    else if ('_zod' in value) visit(where, (value as z.ZodType)._zod.def);
    else for (const inner of Object.values(value)) visit(where, inner);
  };
  for (const { spec } of routes) visit(`${spec.method} ${spec.path}`, [spec.params, spec.query, spec.body?.schema]);
  return found;
}
