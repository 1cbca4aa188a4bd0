import type { ModelRequest } from '../../calls/call-context.ts';
import { callOptions } from '../../domain/call-options.ts';
import { countMedia } from '../../domain/count-media.ts';
import { joinMembers, type Member, readItems, readMembers } from '../../domain/formats/json-members.ts';
import type { SentMembers } from '../../domain/formats/sent-json.ts';
import { isGiven } from '../../domain/is-given.ts';
import { forwardedMembers } from '../body/forwarded-members.ts';
import type { JobHeaders } from '../v1/call-target.ts';
import { toCount, tokensOfPrompt } from '../v1/prompt-size.ts';
import { type ChatRequest, forwardedFields, knownFields } from './chat-request.ts';

/** What a chat completion requests of a model. */
export interface ChatCall {
  request: ModelRequest;
  /** The fields that the endpoint does not know. */
  unknownFields: string[];
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** A message with an empty list of tool calls, which servers refuse, has none. `spec 17.12` */
function withoutEmptyCalls(messages: readonly Readonly<Record<string, unknown>>[], text: string): string {
  if (!messages.some(({ tool_calls }) => isEmptyList(tool_calls))) return text;
  const items = Array.from(readItems(text), (item, index) =>
    isEmptyList(messages[index]!.tool_calls)
      ? joinMembers([...readMembers(item)].filter(({ name }) => name !== 'tool_calls'))
      : item,
  );
  return `[${items.join(',')}]`;
}

/** `sent`: the members of the body as they were sent. */
export function toChatCall(body: ChatRequest, headers: JobHeaders, sent: SentMembers): ChatCall {
  const textOf = (name: string) => sent.get(name) ?? JSON.stringify(body[name]);
  const messages: Member = { name: 'messages', value: withoutEmptyCalls(body.messages, textOf('messages')) };
  const text = joinMembers([messages, ...forwardedMembers(forwardedFields, body, textOf)]);
  const unknownFields = Object.keys(body).filter((name) => !knownFields.has(name) && isGiven(body[name]));
  const options = callOptions(unknownFields.map((name) => ({ name, value: textOf(name) })));
  const media = countMedia(body.messages);
  return {
    unknownFields,
    request: {
      model: body.model,
      body: text,
      ...tokensOfPrompt({
        text,
        further: unknownFields.length > 0 ? options : undefined,
        messages: body.messages.length,
        media,
      }),
      maxTokens: Math.max(toCount(body.max_tokens), toCount(body.max_completion_tokens)),
      purpose: headers['x-call-purpose'] ?? null,
      metadata: body.metadata ?? null,
      options,
    },
  };
}
