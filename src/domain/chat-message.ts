import type { TokenUsage } from './pricing.ts';

/** A piece of a tool call in a stream. `index` is that of the tool call which it begins or continues. */
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

/** The model's message. */
export interface Message {
  content: string;
  toolCalls?: ToolCall[];
}

/** Adds the content of a chunk to the message. */
export function append(message: Message, delta: Delta): void {
  message.content += delta.content ?? '';
  if (!delta.tool_calls) return;
  message.toolCalls ??= [];
  for (const chunk of delta.tool_calls) appendToolCall(message.toolCalls, chunk);
}

function appendToolCall(toolCalls: ToolCall[], { index, id, function: called }: ToolCallDelta): void {
  const call = toolCalls[index] ?? { id: '', type: 'function', function: { name: '', arguments: '' } };
  toolCalls[index] = call;
  call.id ||= id ?? '';
  call.function.name ||= called?.name ?? '';
  call.function.arguments += called?.arguments ?? '';
}

/** The message as it is recorded, without half surrogate pairs. Not done for each chunk, because a pair may be split between two. */
export function wholeMessage({ content, toolCalls }: Message): Message {
  const calls = toolCalls?.map(({ id, type, function: called }) => ({
    id: id.toWellFormed(),
    type,
    function: { name: called.name.toWellFormed(), arguments: called.arguments.toWellFormed() },
  }));
  return { content: content.toWellFormed(), ...(calls?.length && { toolCalls: calls }) };
}

// Estimates of tokens, for the limit of a team while the upstream has not counted them. Never for a bill: `docs/decisions/0008`.

const charactersPerToken = 4;
const tokensPerMessage = 4;

const tokensOfText = (characters: number): number => Math.ceil(characters / charactersPerToken);

/** Tools and the response format are sent to the model as JSON, so they count too. */
export interface Prompt {
  messages: { content: string }[];
  tools?: unknown;
  response_format?: unknown;
}

const jsonLength = (part: unknown): number => (part === undefined || part === null ? 0 : JSON.stringify(part).length);

export function tokensOfPrompt({ messages, tools, response_format }: Prompt): number {
  const contentLength = messages.reduce((total, { content }) => total + content.length, 0);
  const characters = contentLength + jsonLength(tools) + jsonLength(response_format);
  return tokensOfText(characters) + messages.length * tokensPerMessage;
}

const lengthOf = ({ content, toolCalls = [] }: Message): number =>
  toolCalls.reduce(
    (total, { function: called }) => total + called.name.length + called.arguments.length,
    content.length,
  );

/** The estimated tokens of an answer; 0 if the upstream has counted them. */
export const uncountedTokens = ({ totalTokens }: TokenUsage, message: Message | undefined): number =>
  totalTokens > 0 || !message ? 0 : tokensOfText(lengthOf(message));
