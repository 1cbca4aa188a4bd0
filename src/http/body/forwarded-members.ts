import type { Member } from '../../domain/formats/json-members.ts';
import { isGiven } from '../../domain/is-given.ts';

/** An empty list of these is the same as none, and with it go the fields that mean nothing without it. */
const meaningless: Record<string, readonly string[]> = {
  tools: ['tool_choice', 'parallel_tool_calls'],
  functions: ['function_call'],
  stop: [],
};

const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/**
 * The fields of a request that go to the model: those of `names` that are given. Servers refuse an empty list, and a choice among tools
 * without any. `spec 4.15`, `spec 17.12`
 */
export function forwardedMembers(
  names: readonly string[],
  body: Readonly<Record<string, unknown>>,
  textOf: (name: string) => string,
): Member[] {
  const left = new Set(
    Object.entries(meaningless).flatMap(([name, others]) => {
      const value = body[name];
      if (isList(value) || typeof value === 'string') return [];
      return [name, ...others];
    }),
  );
  return names.filter((name) => isGiven(body[name]) && !left.has(name)).map((name) => ({ name, value: textOf(name) }));
}
