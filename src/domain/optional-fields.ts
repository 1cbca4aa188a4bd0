import { joinMembers, type Member, readMembers } from './formats/json-members.ts';

/**
 * Fields of a request that a model answers without as well. Translations add them, and agents send them with every request, whatever
 * the model. `spec 31.5`
 */
export const optionalFields = [
  'reasoning_effort',
  'verbosity',
  'parallel_tool_calls',
  'prompt_cache_key',
  'prompt_cache_retention',
  'service_tier',
  'stream_options',
  'strict',
  'cache_control',
  'max_tokens',
  'max_completion_tokens',
] as const;
export type OptionalField = (typeof optionalFields)[number];

/** A limit of tokens is sent under its other name, and not left out. */
const otherNames: Partial<Record<string, OptionalField>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Without these keys of an object, and of the objects in these members of it. */
function without(value: unknown, keys: ReadonlySet<string>, within: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, keys, within));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      keys.has(name) ? [] : [[name, within.includes(name) ? without(member, keys, within) : member]],
    ),
  );
}

/** Where fields are that are no members of the request itself, and in which members of these. Arguments and schemas are not searched. */
const nested: readonly { field: OptionalField; members: readonly string[]; within: readonly string[] }[] = [
  { field: 'cache_control', members: ['messages', 'tools'], within: ['content', 'function'] },
  { field: 'strict', members: ['tools', 'response_format'], within: ['function', 'json_schema'] },
];

function changed({ name, value }: Member, fields: ReadonlySet<string>): Member[] {
  if (fields.has(name)) {
    const other = otherNames[name];
    return other && !fields.has(other) ? [{ name: other, value }] : [];
  }
  const within = nested.filter(
    ({ field, members }) => fields.has(field) && members.includes(name) && value.includes(`"${field}"`),
  );
  return [
    {
      name,
      value: within.reduce(
        (text, one) => JSON.stringify(without(JSON.parse(text), new Set([one.field]), one.within)),
        value,
      ),
    },
  ];
}

/** A request, JSON text of an object, without these fields. */
export function withoutOptional(request: string, fields: ReadonlySet<string>): string {
  if (fields.size === 0) return request;
  return joinMembers([...readMembers(request)].flatMap((member) => changed(member, fields)));
}

/** The optional fields that a text in lower case mentions. A limit of tokens counts only beside its other name: "use … instead". */
export function optionalFieldsIn(text: string): OptionalField[] {
  const words = new Set(text.match(/[a-z_]+/g));
  const named = optionalFields.filter((field) => words.has(field));
  return named.filter((field) => !otherNames[field] || named.includes(otherNames[field]!));
}
