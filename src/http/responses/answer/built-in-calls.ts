// Calls of tools that the API itself defines, from the arguments of their functions. `spec 29.9`

type Fields = Readonly<Record<string, unknown>>;

/** The arguments as an object; undefined if they are none, as when they broke off. */
function parse(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : typeof value === 'string' ? [value] : [];

const environmentOf = (value: unknown): Record<string, string> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]))
    : {};

const operationTypes = ['create_file', 'update_file', 'delete_file'];

/** What the call has beside its id, type and status. What cannot be read of the arguments is empty. */
export const builtInCalls = {
  tool_search: (json: string) => ({ execution: 'client', arguments: parse(json) ?? {} }),
  shell(json: string) {
    const { commands, timeout_ms, max_output_length } = parse(json) ?? {};
    const action = {
      commands: texts(commands),
      timeout_ms: numberOrNull(timeout_ms),
      max_output_length: numberOrNull(max_output_length),
    };
    return { action, environment: null };
  },
  local_shell(json: string) {
    const { command, env, timeout_ms, user, working_directory } = parse(json) ?? {};
    const action = {
      type: 'exec',
      command: texts(command),
      env: environmentOf(env),
      timeout_ms: numberOrNull(timeout_ms),
      user: textOrNull(user),
      working_directory: textOrNull(working_directory),
    };
    return { action };
  },
  apply_patch(json: string) {
    const { type, path, diff } = parse(json) ?? {};
    const isDeletion = type === 'delete_file';
    const operation = {
      type: operationTypes.includes(String(type)) ? type : 'update_file',
      path: textOrNull(path) ?? '',
      ...(!isDeletion && { diff: textOrNull(diff) ?? '' }),
    };
    return { operation };
  },
} satisfies Record<string, (json: string) => object>;

export const builtInCall = (tool: keyof typeof builtInCalls, json: string): object => builtInCalls[tool](json);
