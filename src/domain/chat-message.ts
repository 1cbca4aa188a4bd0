import type { TokenUsage } from './pricing.ts';

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

/** An estimate for a team's limit, where nobody has counted or not yet; never for a bill: `docs/decisions/0008`. */

/** About four characters are a token; each message costs a few more. */
const charactersPerToken = 4;
const tokensPerMessage = 4;

const tokensOfText = (characters: number): number => Math.ceil(characters / charactersPerToken);

/** What is sent to a model besides its messages is written out for it too. */
export interface Prompt {
  messages: { content: string }[];
  tools?: unknown;
  response_format?: unknown;
}

const writtenLength = (part: unknown): number =>
  part === undefined || part === null ? 0 : JSON.stringify(part).length;

export function tokensOfPrompt({ messages, tools, response_format }: Prompt): number {
  const said = messages.reduce((total, { content }) => total + content.length, 0);
  const characters = said + writtenLength(tools) + writtenLength(response_format);
  return tokensOfText(characters) + messages.length * tokensPerMessage;
}

const lengthOf = ({ content, toolCalls = [] }: Message): number =>
  toolCalls.reduce(
    (total, { function: called }) => total + called.name.length + called.arguments.length,
    content.length,
  );

/** Tokens of an answer that nobody has counted: its upstream does not, or was cut off before it did. */
export const uncountedTokens = ({ totalTokens }: TokenUsage, message: Message | undefined): number =>
  totalTokens > 0 || !message ? 0 : tokensOfText(lengthOf(message));
