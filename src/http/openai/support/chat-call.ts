import type { ModelRequest } from '../../../calls/call-context.ts';
import { type ChatRequest, forwardedFields, knownFields } from '../../../contracts/openai/chat-request.ts';
import type { CallOptions } from '../../../domain/call-options.ts';
import { mediaOf } from '../../../domain/chat-media.ts';
import { tokensOfRequest } from '../../../domain/token-estimate.ts';
import type { JobAssignment } from './job-assignment.ts';

/** What a chat completion requests of a model. */
export interface ChatCall {
  request: ModelRequest;
  /** The fields that the endpoint does not know. */
  unknownFields: string[];
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const withoutTools = new Set(['tools', 'tool_choice', 'parallel_tool_calls']);

/** The fields that go upstream as they were sent. An empty list of tools is none. `spec 17.8` and `spec 17.12` */
function forwardedOf(body: ChatRequest): Record<string, unknown> {
  const hasNoTools = body.tools?.length === 0;
  const names = forwardedFields.filter((name) => isGiven(body[name]) && !(hasNoTools && withoutTools.has(name)));
  return Object.fromEntries(names.map((name) => [name, body[name]]));
}

const unknownOf = (body: ChatRequest): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([name, value]) => !knownFields.has(name) && isGiven(value)));

/** An integer that a double cannot hold is longer than any answer. */
const countOf = (tokens: unknown): number => (typeof tokens === 'number' ? Math.max(0, tokens) : 0);

export function chatCallOf(body: ChatRequest, { purpose, metadata }: JobAssignment): ChatCall {
  const extra = unknownOf(body);
  const unknownFields = Object.keys(extra);
  const text = JSON.stringify({ messages: body.messages, ...forwardedOf(body) });
  const options = JSON.stringify({ parts: 'all', ...(unknownFields.length > 0 && { extra }) } satisfies CallOptions);
  // Which of the unknown fields go upstream is known when the call is admitted.
  const bytes = Buffer.byteLength(text) + (unknownFields.length > 0 ? Buffer.byteLength(options) : 0);
  return {
    unknownFields,
    request: {
      model: body.model,
      body: text,
      promptTokens: tokensOfRequest(bytes, mediaOf(body.messages)),
      maxTokens: Math.max(countOf(body.max_tokens), countOf(body.max_completion_tokens)),
      purpose,
      metadata,
      options,
    },
  };
}
