import type { Message } from './chat-message.ts';
import type { TokenUsage } from './pricing.ts';

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
