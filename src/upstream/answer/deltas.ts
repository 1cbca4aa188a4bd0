import { type Delta, textFields } from '../../domain/chat-message.ts';

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
