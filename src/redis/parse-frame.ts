import type { CallStarted, Frame } from '../domain/call-event.ts';
import { type Delta, maxToolCalls, type ToolCallDelta, textFields } from '../domain/chat-message.ts';
import { annotations, parseCallResult } from './parse-call-result.ts';

/** Characters of a frame. The longest that is published has a message of 262,144 characters, each of which JSON may write as six. */
export const maxFrameCharacters = 4 * 1_048_576;

/** A call has at most 20 worker attempts, and more only if an operator permits them. */
const maxWorkerAttempts = 100;
/** No model produces so many tokens. */
const maxFrames = 10_000_000;

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCount = (value: unknown, from: number, to: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to;

const isTextOrAbsent = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

/** Parses the known fields only, because the delta is sent to the client. */
function parseToolCallDelta(value: unknown): ToolCallDelta | undefined {
  if (!isObject(value)) return undefined;
  const { index, id, type, function: called } = value;
  if (!isCount(index, 0, maxToolCalls - 1) || !isTextOrAbsent(id)) return undefined;
  if (type !== undefined && type !== 'function') return undefined;
  const piece: ToolCallDelta = { index };
  if (id !== undefined) piece.id = id;
  if (type !== undefined) piece.type = type;
  if (value.isFunctionCall === true) piece.isFunctionCall = true;
  if (called === undefined) return piece;
  if (!isObject(called) || !isTextOrAbsent(called.name) || !isTextOrAbsent(called.arguments)) return undefined;
  piece.function = {};
  if (called.name !== undefined) piece.function.name = called.name;
  if (called.arguments !== undefined) piece.function.arguments = called.arguments;
  return piece;
}

function parseDelta(value: unknown): Delta | undefined {
  if (!isObject(value)) return undefined;
  const delta: Delta = {};
  for (const field of textFields) {
    const text = value[field];
    if (!isTextOrAbsent(text)) return undefined;
    if (text !== undefined) delta[field] = text;
  }
  if (value.annotations !== undefined) {
    const found = annotations.safeParse(value.annotations);
    if (!found.success) return undefined;
    delta.annotations = found.data;
  }
  if (value.states !== undefined) {
    if (!Array.isArray(value.states) || !value.states.every((one) => typeof one === 'string')) return undefined;
    delta.states = value.states;
  }
  if (value.tool_calls === undefined) return delta;
  if (!Array.isArray(value.tool_calls)) return undefined;
  const pieces: ToolCallDelta[] = [];
  for (const one of value.tool_calls) {
    const piece = parseToolCallDelta(one);
    if (!piece) return undefined;
    pieces.push(piece);
  }
  delta.tool_calls = pieces;
  return delta;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A message of a call's channel, or an entry of its stream; undefined for anything else. Without a schema, because it runs for
 * every token: this takes less than a tenth of the time of parsing the JSON.
 */
export function parseFrame(callId: string, text: string): Frame | CallStarted | undefined {
  if (text.length > maxFrameCharacters) return undefined;
  const value = parseJson(text);
  if (!isObject(value) || value.callId !== callId) return undefined;
  if (value.type === 'started') return { callId, type: 'started' };
  const { attempt, seq } = value;
  if (!isCount(attempt, 1, maxWorkerAttempts) || !isCount(seq, 0, maxFrames)) return undefined;
  if (value.type === 'delta') {
    const delta = parseDelta(value.delta);
    return delta && { callId, attempt, seq, type: 'delta', delta };
  }
  if (value.type !== 'end') return undefined;
  const end = parseCallResult(value.end);
  return end && { callId, attempt, seq, type: 'end', end };
}
