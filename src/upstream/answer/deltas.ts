import { type Delta, type ToolCallDelta, textFields } from '../../domain/chat-message.ts';
import type { MessageFields, ToolCallChunk } from './completion.ts';
import type { ResolvedToolCall } from './tool-call-index.ts';

/** The tool calls of a message, or its `function_call` as one. */
export const callsOf = ({
  tool_calls,
  function_call,
}: MessageFields): (ToolCallChunk & { isFunctionCall: boolean })[] => {
  if (tool_calls?.length) return tool_calls.map((call) => ({ ...call, isFunctionCall: false }));
  return function_call ? [{ index: 0, id: undefined, function: function_call, isFunctionCall: true }] : [];
};

export const toDelta = (
  { index, id, name, arguments: json, isNew }: ResolvedToolCall,
  isFunctionCall: boolean,
): ToolCallDelta => ({
  index,
  ...(id && { id, type: 'function' as const }),
  function: { ...(name && { name }), arguments: json },
  ...(isNew && isFunctionCall && { isFunctionCall }),
});

export const isNews = ({ isNew, id, name, arguments: json }: ResolvedToolCall): boolean =>
  isNew || Boolean(id || name || json);

/** Undefined if there is nothing in the parts. */
export function joined(parts: (Delta | undefined)[]): Delta | undefined {
  const delta: Delta = {};
  for (const field of textFields) {
    const text = parts.map((part) => part?.[field] ?? '').join('');
    if (text) delta[field] = text;
  }
  const toolCalls = parts.flatMap((part) => part?.tool_calls ?? []);
  if (toolCalls.length > 0) delta.tool_calls = toolCalls;
  const annotations = parts.flatMap((part) => part?.annotations ?? []);
  if (annotations.length > 0) delta.annotations = annotations;
  return Object.keys(delta).length > 0 ? delta : undefined;
}
