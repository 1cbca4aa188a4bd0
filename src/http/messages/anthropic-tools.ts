/** The parameters that Anthropic documents for its own tools, which the client runs. `spec 28.6` */

const text = (description: string) => ({ type: 'string', description });
const path = text('Absolute path of a file or directory');
const view_range = {
  type: 'array',
  items: { type: 'integer' },
  description: 'First and last line to view; -1 is the end of the file',
};
const insert_line = { type: 'integer', description: 'The line after which the text is inserted; 0 is the beginning' };

const object = (properties: Record<string, object>, required: string[]) => ({ type: 'object', properties, required });

const command = (...commands: string[]) => ({
  type: 'string',
  enum: commands,
  description: 'What to do',
});

const edits = {
  view_range,
  file_text: text('The content of the file, for `create`'),
  old_str: text('The text to replace, which occurs once, for `str_replace`'),
  new_str: text('The text in its place'),
  insert_line,
  insert_text: text('The text to insert'),
};

interface ClientTool {
  description: string;
  parameters: object;
}

const bash: ClientTool = {
  description: 'Runs a command in a bash session that persists between calls.',
  parameters: object(
    {
      command: text('The command to run. Required unless the session is restarted'),
      restart: { type: 'boolean', description: 'Whether to restart the session' },
    },
    [],
  ),
};
const textEditor: ClientTool = {
  description: 'Views, creates and edits text files.',
  parameters: object({ command: command('view', 'create', 'str_replace', 'insert'), path, ...edits }, [
    'command',
    'path',
  ]),
};
const memory: ClientTool = {
  description: 'Keeps notes in files below /memories, which persist between conversations.',
  parameters: object(
    {
      command: command('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
      path,
      ...edits,
      old_path: text('The path before, for `rename`'),
      new_path: text('The path after, for `rename`'),
    },
    ['command'],
  ),
};

/** By the beginning of the type, which a date follows, with the name that Anthropic gives the tool. */
const families: readonly [prefix: string, name: string, tool: ClientTool][] = [
  ['bash_', 'bash', bash],
  ['text_editor_', 'str_replace_based_edit_tool', textEditor],
  ['memory_', 'memory', memory],
];

/** Undefined for a tool that the provider runs, or only its models know. */
export function findClientTool(type: string): (ClientTool & { name: string }) | undefined {
  const family = families.find(([prefix]) => type.startsWith(prefix));
  return family && { name: family[1], ...family[2] };
}
