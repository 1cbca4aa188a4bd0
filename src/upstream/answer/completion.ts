import { z } from 'zod';
import { maxAnnotations, maxChoices } from './bounds.ts';
import { Usage } from './token-usage.ts';

// The response of an OpenAI-compatible server, parsed leniently: only the fields in use, and any of them may be missing.

/** Text for a column of its own. PostgreSQL accepts neither NUL nor half of a surrogate pair. */
const columnText = z.string().transform((text) => text.slice(0, 255).replaceAll('\0', '').toWellFormed());

const digits = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number);

const index = z.union([z.number(), digits]).nullish().catch(undefined);

/** No answer has so many members: a longer array is not read one by one. */
const maxMembers = 1_024;
/** `false` is neither a content nor a tool call. */
const notTooMany = (value: unknown): unknown => (Array.isArray(value) && value.length > maxMembers ? false : value);

/** TGI until 2025, and llama.cpp for a while in 2026, send an object instead of its JSON text. */
const argumentsJson = z.union([
  z.string(),
  z.record(z.string(), z.unknown()).transform((object) => JSON.stringify(object)),
]);

const CalledFunction = z.object({
  name: z.string().nullish().catch(undefined),
  arguments: argumentsJson.nullish(),
});

/** What a chunk or a message has of one tool call. */
export interface CalledTool {
  index: number | undefined;
  id: string | undefined;
  /** Empty: there is none here. */
  name: string;
  arguments: string;
  /** It was sent as a `function_call`. */
  isFunctionCall: boolean;
  /** What Gemini needs to go on reasoning after the call. */
  extraContent?: unknown;
}

/** What a message or a piece of one has of the model's reasoning, as it was sent. */
export interface ReasoningFields {
  /** The name under which the text was sent. */
  field: (typeof reasoningNames)[number];
  text: string;
  /** Of Anthropic's models, as LiteLLM sends them. */
  thinking_blocks: Record<string, unknown>[];
  /** Of all models, as OpenRouter sends them. */
  reasoning_details: Record<string, unknown>[];
}

const toCalled = (called: z.output<typeof CalledFunction> | null | undefined) => ({
  name: called?.name ?? '',
  arguments: called?.arguments ?? '',
});

/** Some servers omit `function` and send its members in its place. */
const ToolCallChunk = CalledFunction.extend({
  index,
  id: z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .catch(undefined),
  function: CalledFunction.nullish(),
  extra_content: z.unknown().optional(),
}).transform(
  ({ index, id, function: called, extra_content, ...inPlace }): CalledTool => ({
    index: index ?? undefined,
    id: id ?? undefined,
    ...toCalled(called ?? inPlace),
    isFunctionCall: false,
    ...(extra_content !== undefined && extra_content !== null && { extraContent: extra_content }),
  }),
);

/** Some servers send the content in parts. */
const contentParts = z
  .array(z.union([z.string(), z.object({ text: z.string().nullish() }).transform(({ text }) => text ?? '')]))
  .transform((all) => all.join(''));

/** Cloudflare's Workers AI streams a token of digits as a number. */
const content = z.preprocess(notTooMany, z.union([z.string(), z.number().transform(String), contentParts]).nullish());

/** Mistral sends its reasoning as parts of the content. */
const ThinkingPart = z.object({
  type: z.literal('thinking'),
  thinking: z.union([
    z.string(),
    z
      .array(z.object({ text: z.string().catch('') }))
      .max(maxMembers)
      .transform((all) => all.map(({ text }) => text).join('')),
  ]),
});
const thinkingIn = (parts: readonly unknown[]): string =>
  parts.length > maxMembers ? '' : parts.map((part) => ThinkingPart.safeParse(part).data?.thinking ?? '').join('');

const optionalText = z.string().nullish().catch(undefined);

/** A longer title is left out, and so is an annotation with a longer address. */
const maxUrlCharacters = 8_192;

/** Anything else among the annotations is skipped: it may name the model or its provider. */
const Annotation = z.object({
  type: z.literal('url_citation'),
  url_citation: z.object({
    url: z.string().max(maxUrlCharacters),
    title: z.string().max(maxUrlCharacters).optional().catch(undefined),
    start_index: z.number().optional().catch(undefined),
    end_index: z.number().optional().catch(undefined),
  }),
});
const annotations = z
  .preprocess(
    (value) => (Array.isArray(value) ? value.slice(0, maxAnnotations) : value),
    z.array(z.unknown()).nullish().catch(undefined),
  )
  .transform((all) => (all ?? []).flatMap((one) => Annotation.safeParse(one).data ?? []));

const blocks = z
  .array(z.record(z.string(), z.unknown()))
  .max(maxMembers)
  .nullish()
  .catch(undefined)
  .transform((all) => all ?? []);

const messageFields = z.preprocess(
  (value) => {
    // Servers in PHP write an empty object as an empty array.
    if (Array.isArray(value) && value.length === 0) return {};
    const parts = (value as { content?: unknown } | null | undefined)?.content;
    return Array.isArray(parts) ? { ...(value as object), thinking_parts: thinkingIn(parts) } : value;
  },
  z
    .object({
      content,
      /** What OpenAI's models write instead of a content that they refuse. */
      refusal: optionalText,
      reasoning_content: optionalText,
      /** The name that OpenRouter, Groq, Ollama and newer versions of vLLM use. */
      reasoning: optionalText,
      /** That of Ollama's own interface and of some proxies. */
      thinking: optionalText,
      thinking_parts: optionalText,
      thinking_blocks: blocks,
      reasoning_details: blocks,
      annotations,
      /** TGI streams one tool call, without an array. */
      tool_calls: z.preprocess(
        notTooMany,
        z.union([z.array(ToolCallChunk), ToolCallChunk.transform((call) => [call])]).nullish(),
      ),
      /** The predecessor of `tool_calls`. */
      function_call: CalledFunction.nullish(),
    })
    .transform(({ tool_calls, function_call, thinking_blocks, reasoning_details, ...rest }) => ({
      content: rest.content,
      refusal: rest.refusal,
      annotations: rest.annotations,
      reasoning: { ...reasoningText(rest), thinking_blocks, reasoning_details } satisfies ReasoningFields,
      tools: tool_calls?.length
        ? tool_calls
        : function_call
          ? [{ index: 0, id: undefined, ...toCalled(function_call), isFunctionCall: true }]
          : [],
    }))
    .nullish(),
);

/** The last is not a field: it is what Mistral sends among the parts of the content. */
const reasoningNames = ['reasoning_content', 'reasoning', 'thinking', 'thinking_parts'] as const;

/** The first that is there. */
function reasoningText(fields: Partial<Record<(typeof reasoningNames)[number], string | null | undefined>>) {
  const field = reasoningNames.find((name) => fields[name]) ?? 'reasoning_content';
  return { field, text: fields[field] ?? '' };
}

export type MessageFields = NonNullable<z.output<typeof messageFields>>;

/** DashScope sends the text `null` while an answer is unfinished. */
const finishReason = columnText
  .nullish()
  .catch(undefined)
  .transform((reason) => (reason?.toLowerCase() === 'null' ? undefined : (reason ?? undefined)));

/** vLLM, SGLang, and servers that pass on what Anthropic says. A number is a token, which no client has asked for. */
const StopStrings = z.object({ stop_reason: optionalText, matched_stop: optionalText, stop_sequence: optionalText });

const Choice = StopStrings.extend({
  index,
  finish_reason: finishReason,
  /** Where LiteLLM puts what OpenAI does not have. */
  provider_specific_fields: StopStrings.nullish().catch(undefined),
  message: messageFields,
  delta: messageFields,
  /** The content in the older interface for completions. */
  text: z.string().nullish().catch(undefined),
  /** Moonshot sends the usage of a stream in its choice. */
  usage: Usage,
  error: z.unknown().optional(),
});
export type Choice = z.output<typeof Choice>;

const Completion = z.object({
  model: columnText.nullish().catch(undefined),
  /** Null: there are some, but they are unreadable. The rest of the completion counts all the same. */
  choices: z.preprocess((value) => [value ?? []].flat().slice(0, maxChoices), z.array(Choice).nullable().catch(null)),
  usage: Usage,
  /** Groq sends the usage of a stream here. */
  x_groq: z.object({ usage: Usage }).nullish().catch(undefined),
  error: z.unknown().optional(),
  object: z.unknown().optional(),
  code: z.unknown().optional(),
});

export type Completion = z.output<typeof Completion>;

/** Undefined if the value is not an object, or nested so deeply that its arguments cannot be written as JSON. */
export function readCompletion(value: unknown): Completion | undefined {
  try {
    return Completion.safeParse(value).data;
  } catch {
    return undefined;
  }
}

export const usagesOf = ({ usage, x_groq, choices }: Completion) =>
  [usage, x_groq?.usage, ...(choices ?? []).map((choice) => choice.usage)].filter((one) => one != null);

/** The texts at which a choice may have stopped: not all of these fields have that meaning everywhere. */
export const stopStringsOf = ({ provider_specific_fields, ...choice }: Choice): string[] =>
  [choice, provider_specific_fields].flatMap((of) =>
    [of?.stop_reason, of?.matched_stop, of?.stop_sequence].flatMap((text) => text ?? []),
  );

/** The error in a response with status 200. OpenRouter sends it in the choice; vLLM and SGLang as the object itself. */
export const errorOf = (completion: Completion): unknown =>
  completion.error ||
  completion.choices?.find(({ error }) => error)?.error ||
  (completion.object === 'error' ? completion : undefined);
