import type { ToolCall } from '../../../domain/chat-message.ts';
import { isGiven } from '../../../domain/is-given.ts';
import type { ChatPart, Entry, TextPart } from '../../v1/conversation.ts';
import type { BuiltInTool } from './built-in-tools.ts';
import type { Item } from './items.ts';
import { functionName } from './tool-names.ts';

// The items of a conversation as its steps. `spec 29.7`

type Fields = Readonly<Record<string, unknown>>;

const textPart = (text: unknown): TextPart => ({ type: 'text', text: String(text) });

const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value)));

/** A part of a content in the form of a chat completion. */
function toChatPart(part: Fields): ChatPart {
  switch (part.type) {
    case 'input_image':
      return { type: 'image_url', image_url: given({ url: part.image_url, detail: part.detail }) };
    case 'input_file':
      return { type: 'file', file: given({ file_data: part.file_data ?? part.file_url, filename: part.filename }) };
    case 'input_audio':
      return { type: 'input_audio', input_audio: part.input_audio };
    case 'refusal':
      return textPart(part.refusal);
    default:
      return textPart(part.text);
  }
}

const partsOf = (content: unknown): ChatPart[] => {
  if (typeof content === 'string') return [textPart(content)];
  return Array.isArray(content) ? content.map(toChatPart) : [];
};

const isText = (part: ChatPart): part is TextPart => part.type === 'text';

function messageEntry({ role, content }: Fields): Entry {
  const parts = partsOf(content);
  if (role === 'user') return { kind: 'user', parts };
  const texts = parts.filter(isText);
  return role === 'assistant' ? { kind: 'assistant', text: texts } : { kind: 'system', parts: texts };
}

/** Arguments that are none are an empty object: servers parse them. */
const toCall = (id: unknown, name: string, json: string): Entry => {
  const call: ToolCall = { id: String(id ?? ''), type: 'function', function: { name, arguments: json || '{}' } };
  return { kind: 'assistant', calls: [call] };
};

const nameOf = ({ name, namespace }: Fields): string =>
  functionName(String(name), typeof namespace === 'string' ? namespace : undefined);

const builtIn = (tool: BuiltInTool, id: unknown, input: unknown): Entry =>
  toCall(id, tool, JSON.stringify(input ?? {}));

/** The result of a call: its texts, and apart from them what a tool message has no place for. */
function resultEntry(callId: unknown, output: unknown): Entry {
  const parts = partsOf(output);
  const media = parts.filter((part) => !isText(part));
  const text = parts.filter(isText).map((part) => part.text);
  return { kind: 'result', callId: String(callId ?? ''), text: text.join('\n'), ...(media.length > 0 && { media }) };
}

const loadedTools = (tools: unknown): string =>
  JSON.stringify({ tools: (tools as Fields[]).map(({ type, name }) => name ?? type) });

const patchResult = ({ status, output }: Fields): string => [status, output].filter(Boolean).join('\n');

/** Keys of an action that say nothing. */
const actionOf = (action: unknown): Fields => {
  const { type, ...rest } = given((action ?? {}) as Fields);
  return rest;
};

const entryOf: Readonly<Record<string, (item: Item) => Entry | undefined>> = {
  message: messageEntry,
  function_call: (item) => toCall(item.call_id, nameOf(item), String(item.arguments)),
  function_call_output: ({ call_id, output }) => resultEntry(call_id, output),
  custom_tool_call: (item) => toCall(item.call_id, nameOf(item), JSON.stringify({ input: item.input })),
  custom_tool_call_output: ({ call_id, output }) => resultEntry(call_id, output),
  shell_call: ({ call_id, action }) => builtIn('shell', call_id, actionOf(action)),
  shell_call_output: ({ call_id, output }) =>
    resultEntry(call_id, typeof output === 'string' ? output : JSON.stringify(output)),
  local_shell_call: ({ call_id, action }) => builtIn('local_shell', call_id, actionOf(action)),
  // OpenAI's own clients name the call by `id`.
  local_shell_call_output: ({ call_id, id, output }) => resultEntry(call_id ?? id, output),
  apply_patch_call: ({ call_id, operation }) => builtIn('apply_patch', call_id, operation),
  apply_patch_call_output: (item) => resultEntry(item.call_id, patchResult(item)),
  tool_search_call: ({ call_id, arguments: input }) => builtIn('tool_search', call_id, input),
  tool_search_output: ({ call_id, tools }) => resultEntry(call_id, loadedTools(tools)),
  reasoning: ({ encrypted_content: sealed }) =>
    typeof sealed === 'string' && sealed !== '' ? { kind: 'assistant', sealed: [sealed] } : undefined,
  additional_tools: () => undefined,
};

/** Whether a conversation goes on with an item; others are left out. */
export const isKnownItem = ({ type }: Item): boolean => Object.hasOwn(entryOf, type);

export function toEntries(instructions: string | null | undefined, items: readonly Item[]): Entry[] {
  const first: Entry[] = instructions ? [{ kind: 'system', parts: [textPart(instructions)] }] : [];
  const rest = items.filter(isKnownItem).flatMap((item) => entryOf[item.type]!(item) ?? []);
  return [...first, ...rest];
}
