/** One piece of a tool call as the upstream streams it; `index` says which tool call it continues. */
export interface ToolCallDelta {
  index: number;
  id?: string;
  type?: 'function';
  function?: { name?: string; arguments?: string };
}

export interface Delta {
  content?: string;
  tool_calls?: ToolCallDelta[];
}

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** The model's whole message. */
export interface Message {
  content: string;
  toolCalls?: ToolCall[];
}

/** Adds the content of a chunk to the message so far. */
export function append(message: Message, delta: Delta): void {
  message.content += delta.content ?? '';
  if (!delta.tool_calls) return;
  message.toolCalls ??= [];
  for (const piece of delta.tool_calls) appendToolCall(message.toolCalls, piece);
}

function appendToolCall(toolCalls: ToolCall[], { index, id, function: called }: ToolCallDelta): void {
  const call = toolCalls[index] ?? { id: '', type: 'function', function: { name: '', arguments: '' } };
  toolCalls[index] = call;
  call.id ||= id ?? '';
  call.function.name ||= called?.name ?? '';
  call.function.arguments += called?.arguments ?? '';
}

/** The message as it is kept: half surrogate pairs are replaced, as a pair may have come in two chunks. */
export function wholeMessage({ content, toolCalls }: Message): Message {
  const calls = toolCalls?.map(({ id, type, function: called }) => ({
    id: id.toWellFormed(),
    type,
    function: { name: called.name.toWellFormed(), arguments: called.arguments.toWellFormed() },
  }));
  return { content: content.toWellFormed(), ...(calls?.length && { toolCalls: calls }) };
}
