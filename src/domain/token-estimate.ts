import type { Message } from './chat-message.ts';
import type { TokenUsage } from './pricing.ts';

// Estimates of tokens, for the limit of a team while the upstream has not counted them. Never for a bill: `docs/decisions/0008`.

const charactersPerToken = 4;
const tokensPerMessage = 4;

/** What an image, a file or a sound counts, whatever its size. `spec 17.15` */
export const tokensPerMedium = 1_000;

const tokensOfText = (characters: number): number => Math.ceil(characters / charactersPerToken);

/** Tools and the response format are sent to the model as JSON, so they count too. */
export interface Prompt {
  messages: { content: string }[];
  tools?: unknown;
  response_format?: unknown;
}

export const jsonLength = (part: unknown): number =>
  part === undefined || part === null ? 0 : JSON.stringify(part).length;

/** `characters`: of all texts and of what is sent as JSON. */
export const tokensOfMessages = (characters: number, messages: number): number =>
  tokensOfText(characters) + messages * tokensPerMessage;

export function tokensOfPrompt({ messages, tools, response_format }: Prompt): number {
  const contentLength = messages.reduce((total, { content }) => total + content.length, 0);
  return tokensOfMessages(contentLength + jsonLength(tools) + jsonLength(response_format), messages.length);
}

const lengthOf = ({ content, refusal = '', reasoning_content = '', toolCalls = [] }: Message): number =>
  toolCalls.reduce(
    (total, { function: called }) => total + called.name.length + called.arguments.length,
    content.length + refusal.length + reasoning_content.length,
  );

/** The estimated tokens of an answer; 0 if the upstream has counted them. */
export const uncountedTokens = ({ totalTokens }: TokenUsage, message: Message | undefined): number =>
  totalTokens > 0 || !message ? 0 : tokensOfText(lengthOf(message));
