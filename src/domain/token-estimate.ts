import type { Message } from './chat-message.ts';
import type { TokenUsage } from './pricing.ts';

// Estimates of tokens, for limits and budgets while the upstream has not counted them. Never for a bill, which may not guess. `spec 4.18`

const bytesPerToken = 4;

/** What an image, a video or a sound counts, whatever its size. `spec 17.15` */
const tokensPerMedium = 1_000;

const tokensOfText = (length: number): number => Math.ceil(length / bytesPerToken);

/** Images, videos and sounds in a request. */
export interface Media {
  count: number;
  /** The bytes of their data, as it is in the request. */
  bytes: number;
}

const noMedia: Media = { count: 0, bytes: 0 };

/**
 * The tokens of a request of so many bytes of JSON. All of it is text, wherever it is, except the data of the media. `spec 9.1`
 */
export const tokensOfRequest = (bytes: number, media: Media = noMedia): number =>
  tokensOfText(Math.max(0, bytes - media.bytes)) + media.count * tokensPerMedium;

/** The same by how many tokens a byte had in earlier requests; undefined: by the usual length of a token. `spec 28.14` */
export const tokensByRatio = (ratio: number | undefined, bytes: number, media: Media): number =>
  Math.max(
    1,
    Math.round(Math.max(0, bytes - media.bytes) * (ratio ?? 1 / bytesPerToken)) + media.count * tokensPerMedium,
  );

/** A budget reserves by more: its cap must hold, where the limit of a team is an average. */
const bytesPerReservedToken = 3;
const reservedTokensPerMessage = 8;

/** The tokens of a request that a budget reserves. `spec 23.6` */
export const tokensToReserve = (bytes: number, messages: number, media: Media = noMedia): number =>
  Math.ceil(Math.max(0, bytes - media.bytes) / bytesPerReservedToken) +
  media.count * tokensPerMedium +
  messages * reservedTokensPerMessage;

const lengthOf = ({ content, refusal = '', reasoning_content = '', toolCalls = [] }: Message): number =>
  toolCalls.reduce(
    (total, { function: called }) => total + called.name.length + called.arguments.length,
    content.length + refusal.length + reasoning_content.length,
  );

/** The estimated tokens of an answer; 0 if the upstream has counted them. */
export const uncountedTokens = ({ totalTokens }: TokenUsage, message: Message | undefined): number =>
  totalTokens > 0 || !message ? 0 : tokensOfText(lengthOf(message));
