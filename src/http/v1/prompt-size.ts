import type { ModelRequest } from '../../calls/call-context.ts';
import { bytesOfJson, utf8BytesOfJson } from '../../domain/formats/sent-json.ts';
import { type Media, tokensOfRequest, tokensToReserve } from '../../domain/token-estimate.ts';

/** Agents request the most that the model may write: for the limit of a minute an answer counts no more. `spec 28.11` */
export const mostCountedOfAnswer = 4_096;

/** An integer that a double cannot hold is longer than any answer. */
export const toCount = (tokens: unknown): number => (typeof tokens === 'number' ? Math.max(0, tokens) : 0);

/** What a chat completion has that takes tokens. */
export interface SentPrompt {
  /** The body, JSON text. */
  text: string;
  /** The options with the fields that the endpoint does not know; undefined where there are none. */
  further: string | undefined;
  messages: number;
  media: Media;
}

/** The estimated tokens of a prompt. Which of the unknown fields go upstream is known when the call is admitted. */
export function tokensOfPrompt({
  text,
  further,
  messages,
  media,
}: SentPrompt): Pick<ModelRequest, 'promptTokens' | 'promptTokensToReserve'> {
  const bytesBy = (bytesOf: (json: string) => number) => bytesOf(text) + (further === undefined ? 0 : bytesOf(further));
  return {
    promptTokens: tokensOfRequest(bytesBy(bytesOfJson), media),
    promptTokensToReserve: tokensToReserve(bytesBy(utf8BytesOfJson), messages, media),
  };
}
