import type { ModelRequest } from '../../calls/call-context.ts';
import { callOptions } from '../../domain/call-options.ts';
import { countMedia } from '../../domain/count-media.ts';
import type { SentMembers } from '../../domain/formats/sent-json.ts';
import { isGiven } from '../../domain/is-given.ts';
import type { Media } from '../../domain/token-estimate.ts';
import { invalid } from '../../errors.ts';
import { toMessages } from '../v1/conversation.ts';
import type { MediaUrls } from '../v1/media-url.ts';
import { mostCountedOfAnswer, toCount, tokensOfPrompt } from '../v1/prompt-size.ts';
import { type CountTokensBody, knownFields, leftOutFields } from './messages-request.ts';
import { toClientRequest } from './thread.ts';
import { toEntries, toInstructions } from './to-entries.ts';
import type { Translating } from './to-parts.ts';
import { toTools } from './to-tools.ts';

/** What a message requests of a model, as a chat completion. `spec 28.4` */
export interface MessageCall {
  request: ModelRequest;
  /** The fields that the endpoint does not know. */
  unknownFields: string[];
  /** The paths of what has no place in a chat completion. */
  leftOut: string[];
  /** For the estimate of its tokens. */
  size: { bytes: number; media: Media };
}

const efforts: Record<string, string> = { max: 'xhigh' };

/** Anthropic's budget of reasoning as an effort: 4,096 tokens are little, 16,384 the middle. */
const effortOfBudget = (tokens: number): string => {
  if (tokens <= 4_096) return 'low';
  return tokens <= 16_384 ? 'medium' : 'high';
};

function toEffort({ output_config, thinking }: CountTokensBody): string | undefined {
  if (thinking?.type === 'disabled') return undefined;
  const effort = output_config?.effort;
  if (effort) return efforts[effort] ?? effort;
  const budget = thinking?.budget_tokens;
  return isGiven(budget) ? effortOfBudget(typeof budget === 'number' ? budget : Number.POSITIVE_INFINITY) : undefined;
}

function toResponseFormat({ output_config, output_format }: CountTokensBody): object | undefined {
  const format = output_config?.format ?? output_format;
  if (!format) return undefined;
  if (format.type !== 'json_schema') return { type: format.type };
  return { type: 'json_schema', json_schema: { name: 'answer', schema: format.schema ?? {}, strict: true } };
}

function requireSupported({ mcp_servers, container }: CountTokensBody): void {
  const message = 'This is not supported here';
  if (mcp_servers && mcp_servers.length > 0) throw invalid(['body', 'mcp_servers'], message, 'unsupported_value');
  if (isGiven(container)) throw invalid(['body', 'container'], message, 'unsupported_value');
}

/** What of a nested field has no place. */
function nestedLeftOut({ output_config }: CountTokensBody): string[] {
  return Object.keys(output_config ?? {})
    .filter((key) => key !== 'effort' && key !== 'format' && isGiven((output_config as Record<string, unknown>)[key]))
    .map((key) => `output_config.${key}`);
}

/** `sent`: the members of the body as they were sent. */
export function toMessageCall(
  body: CountTokensBody,
  purpose: string | null,
  sent: SentMembers,
  mediaUrls: MediaUrls,
): MessageCall {
  requireSupported(body);
  const translating: Translating = { mediaUrls, leftOut: [] };
  const entries = [...toInstructions(translating, body.system), ...toEntries(translating, body.messages)];
  const messages = toMessages(entries);
  if (messages.length === 0) throw invalid(['body', 'messages'], 'Messages should have a block for the model');
  const effort = toEffort(body);
  const text = JSON.stringify({
    messages,
    ...toTools(translating, body),
    max_tokens: body.max_tokens ?? undefined,
    stop: body.stop_sequences?.length ? body.stop_sequences : undefined,
    temperature: body.temperature ?? undefined,
    top_p: body.top_p ?? undefined,
    reasoning_effort: effort,
    response_format: toResponseFormat(body),
  });
  const fields: Readonly<Record<string, unknown>> = { ...body };
  const unknownFields = Object.keys(fields).filter((name) => !knownFields.has(name) && isGiven(fields[name]));
  const textOf = (name: string) => sent.get(name) ?? JSON.stringify(fields[name]);
  const options = callOptions(
    unknownFields.map((name) => ({ name, value: textOf(name) })),
    { parts: 'sealed' },
  );
  const media = countMedia(messages);
  const clientRequest = toClientRequest(body);
  return {
    unknownFields,
    size: { bytes: Buffer.byteLength(text), media },
    leftOut: [...leftOutFields.filter((name) => isGiven(fields[name])), ...nestedLeftOut(body), ...translating.leftOut],
    request: {
      model: body.model,
      body: text,
      ...tokensOfPrompt({
        text,
        further: unknownFields.length > 0 ? options : undefined,
        messages: messages.length,
        media,
      }),
      maxTokens: toCount(body.max_tokens),
      mostCountedOfAnswer,
      purpose,
      ...(clientRequest && { clientRequest }),
      metadata: (body.metadata as Record<string, unknown> | null | undefined) ?? null,
      options,
    },
  };
}
