// Tools that the API itself defines, as functions for a model that knows only functions. `spec 29.9`

const object = (properties: Record<string, object>, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const text = (description: string) => ({ type: 'string', description });
const integer = (description: string) => ({ type: 'integer', description });
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

/** By the type of the tool, which is also the name of its function. */
export const builtInTools = {
  shell: {
    description: 'Runs shell commands and returns what they print.',
    parameters: object(
      {
        commands: texts('The commands. Each runs in a shell of its own'),
        timeout_ms: integer('After how many milliseconds the commands are ended'),
        max_output_length: integer('The most characters that are returned of what they print'),
      },
      ['commands'],
    ),
  },
  local_shell: {
    description: 'Runs a command on the local machine and returns what it prints.',
    parameters: object(
      {
        command: texts('The program and its arguments'),
        working_directory: text('The directory in which the command runs'),
        env: { type: 'object', additionalProperties: { type: 'string' }, description: 'Environment variables' },
        timeout_ms: integer('After how many milliseconds the command is ended'),
        user: text('The user that runs the command'),
      },
      ['command'],
    ),
  },
  apply_patch: {
    description: 'Creates, changes or deletes a file.',
    parameters: object(
      {
        type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'], description: 'What to do' },
        path: text('The path of the file'),
        diff: text(
          'For create_file and update_file. The changes: `@@` and a line of the file as context begin a section, and its lines ' +
            'begin with a space, `-` or `+`. Of a new file each line begins with `+`',
        ),
      },
      ['type', 'path'],
    ),
  },
  tool_search: {
    description: 'Searches for further tools.',
    parameters: object({ query: text('What the tool should do') }, ['query']),
  },
} as const;

export type BuiltInTool = keyof typeof builtInTools;

export const isBuiltIn = (type: string): type is BuiltInTool => Object.hasOwn(builtInTools, type);
