import type { ModelRequest } from '../../../calls/call-context.ts';
import { callOptions } from '../../../domain/call-options.ts';
import { countMedia } from '../../../domain/count-media.ts';
import { joinMembers } from '../../../domain/formats/json-members.ts';
import { utf8BytesOfJson } from '../../../domain/formats/sent-json.ts';
import { isGiven } from '../../../domain/is-given.ts';
import type { Media } from '../../../domain/token-estimate.ts';
import { invalid } from '../../../errors.ts';
import { forwardedMembers } from '../../body/forwarded-members.ts';
import { toMessages } from '../../v1/conversation.ts';
import { mostCountedOfAnswer, toCount, tokensOfPrompt } from '../../v1/prompt-size.ts';
import type { CalledTools } from '../answer/called-tools.ts';
import type { Item } from './items.ts';
import { knownFields, leftOutFields, type ResponseRequest } from './response-request.ts';
import { isKnownItem, toEntries } from './to-entries.ts';
import { toToolChoice } from './tool-choice.ts';
import { type SentTool, Toolbox } from './toolbox.ts';

/** What a response requests of a model. */
export interface TranslatedRequest {
  request: ModelRequest;
  /** What its prompt is estimated by. */
  size: { bytes: number; media: Media };
  tools: CalledTools;
  /** The fields that the endpoint does not know. */
  unknownFields: string[];
  /** What is known and left out, as `X-Ignored-Fields` names it. */
  leftOut: string[];
}

/** The tools of the request and those that come in its items. Throws if a provider runs all of them. `spec 29.9` */
function toolboxOf({ tools }: ResponseRequest, items: readonly Item[], offset: number): Toolbox {
  const toolbox = new Toolbox();
  toolbox.add(tools ?? [], 'tools');
  const place = toolbox.leftOut[0];
  for (const [index, item] of items.entries())
    if (['additional_tools', 'tool_search_output'].includes(item.type))
      toolbox.add(item.tools as SentTool[], `input[${index - offset}].tools`);
  if (place !== undefined && toolbox.isEmpty) throw unsupportedTool(place);
  return toolbox;
}

function unsupportedTool(place: string): Error {
  const path = place.split(/[[\].]+/).filter(Boolean);
  const loc = path.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  return invalid(['body', ...loc, 'type'], 'A tool that the provider runs is not supported', 'unsupported_value');
}

/** `response_format` of a chat completion. Undefined: a text. */
function toResponseFormat(format: Readonly<Record<string, unknown>> | null | undefined): object | undefined {
  if (!format || format.type === 'text') return undefined;
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, schema, strict, description } = format;
  const members = Object.entries({ name: name ?? 'response', description, schema, strict });
  return { type: 'json_schema', json_schema: Object.fromEntries(members.filter(([, value]) => isGiven(value))) };
}

const chatFields = [
  'messages',
  'temperature',
  'top_p',
  'max_tokens',
  'response_format',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'reasoning_effort',
  'verbosity',
  'prompt_cache_key',
  'prompt_cache_retention',
  'service_tier',
] as const;

/**
 * A response as a chat completion. `items`: the whole conversation, of which the last are those of the request; `earlier`: how many are
 * not. `purpose`: the label of the call.
 */
export function translateRequest(
  body: ResponseRequest,
  items: readonly Item[],
  { earlier, purpose }: { earlier: number; purpose: string | null },
): TranslatedRequest {
  const toolbox = toolboxOf(body, items, earlier);
  const { sent: toolChoice, isAllowed } = toToolChoice(body.tool_choice, toolbox);
  const messages = toMessages(toEntries(body.instructions, items));
  if (messages.length === 0) throw invalid(['body', 'input'], 'Input should have an item for the model');
  const fields: Record<(typeof chatFields)[number], unknown> = {
    messages,
    temperature: body.temperature,
    top_p: body.top_p,
    max_tokens: body.max_output_tokens,
    response_format: toResponseFormat(body.text?.format),
    tools: toolbox.chatTools(isAllowed),
    tool_choice: toolChoice,
    parallel_tool_calls: body.parallel_tool_calls,
    reasoning_effort: body.reasoning?.effort,
    verbosity: body.text?.verbosity,
    prompt_cache_key: body.prompt_cache_key,
    prompt_cache_retention: body.prompt_cache_retention,
    service_tier: body.service_tier,
  };
  const text = joinMembers(
    forwardedMembers(chatFields, fields, (name) => JSON.stringify(fields[name as keyof typeof fields])),
  );
  const unknownFields = Object.keys(body).filter((name) => !knownFields.has(name) && isGiven(body[name]));
  const extra = unknownFields.map((name) => ({ name, value: JSON.stringify(body[name]) }));
  // What was streamed is streamed again in the same pieces: the numbers of the events depend on them.
  const keepsPieces = body.stream === true || body.background === true;
  const options = callOptions(extra, { parts: 'sealed', keepsPieces });
  const bytesBy = (bytesOf: (json: string) => number) => bytesOf(text) + (extra.length > 0 ? bytesOf(options) : 0);
  const media = countMedia(messages);
  return {
    size: { bytes: bytesBy(utf8BytesOfJson), media },
    tools: toolbox.calledTools,
    unknownFields,
    leftOut: [
      ...leftOutFields.filter((name) => isGiven(body[name])),
      ...toolbox.leftOut,
      ...unknownItems(items, earlier),
    ],
    request: {
      model: body.model,
      body: text,
      ...tokensOfPrompt({ text, further: extra.length > 0 ? options : undefined, messages: messages.length, media }),
      maxTokens: toCount(body.max_output_tokens),
      mostCountedOfAnswer,
      purpose,
      metadata: body.metadata ?? null,
      options,
    },
  };
}

const unknownItems = (items: readonly Item[], earlier: number): string[] =>
  items.flatMap((item, index) => (index < earlier || isKnownItem(item) ? [] : [`input[${index - earlier}]`]));
