import type { Delta, Message, ToolCall, ToolCallDelta } from './frames.ts';

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
