import { z } from 'zod';

/** Names of fields come from the client: so many are named, and so many characters of each and of the whole. */
const maxNames = 50;
const maxNameCharacters = 100;
const maxHeaderCharacters = 2_000;

/** Characters that a header cannot carry are percent-encoded, and so are those that separate names. */
export const headerText = (name: string): string => encodeURIComponent(name.slice(0, maxNameCharacters).toWellFormed());

/** The names, each already a text for a header, as `X-Ignored-Fields`; empty without any. */
export function joinNames(names: readonly string[]): string {
  let joined = '';
  for (const name of [...new Set(names)].slice(0, maxNames)) {
    const longer = joined ? `${joined}, ${name}` : name;
    if (longer.length > maxHeaderCharacters) break;
    joined = longer;
  }
  return joined;
}

/** The schema of what a client sends: inside `optional`, `nullable` and `default`, before a transform and after a preprocess. */
function sent(schema: z.core.$ZodType): z.core.$ZodType {
  const { innerType } = schema._zod.def as { innerType?: z.core.$ZodType };
  if (innerType) return sent(innerType);
  if (!(schema instanceof z.ZodPipe)) return schema;
  return sent(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Adds the fields of a value that its schema leaves out. `path`: of the value, empty for the body. */
function addIgnored(names: Set<string>, schema: z.core.$ZodType, value: unknown, path = ''): void {
  const inner = sent(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) addOfItems(names, inner.element, value, `${path}[]`);
  const hasFixedFields = inner instanceof z.ZodObject && inner.def.catchall === undefined;
  if (!hasFixedFields || !isRecord(value)) return;
  for (const [key, member] of Object.entries(value)) {
    if (isAbsent(member) || names.size >= maxNames) continue;
    const name = path ? `${path}.${headerText(key)}` : headerText(key);
    if (Object.hasOwn(inner.shape, key)) addIgnored(names, inner.shape[key]!, member, name);
    else names.add(name);
  }
}

function addOfItems(names: Set<string>, element: z.core.$ZodType, items: readonly unknown[], path: string): void {
  const inner = sent(element);
  if (!(inner instanceof z.ZodObject || inner instanceof z.ZodArray)) return;
  for (const item of items) addIgnored(names, inner, item, path);
}

/**
 * The fields of a body that its schema leaves out, at any depth: `user`, `messages[].name`. What the schema takes whole, such as metadata
 * and JSON schemas, is not looked into. Null is the same as absent. `spec 1.18`
 */
export function ignoredFields(schema: z.ZodType, body: unknown): string[] {
  const names = new Set<string>();
  addIgnored(names, schema, body);
  return [...names];
}

/** The parameters of a query that its schema does not have. Members of a record are `metadata.<key>`. */
export const ignoredParameters = (schema: z.ZodObject, query: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(query)
    .filter((name) => {
      const [record] = name.split('.');
      const isMember = name !== record && sent(schema.shape[record!] ?? z.unknown()) instanceof z.ZodRecord;
      return !Object.hasOwn(schema.shape, name) && !isMember;
    })
    .slice(0, maxNames)
    .map(headerText);
