import type { z } from 'zod';
import type { CallRequest } from '../../../calls/call-context.ts';
import type { CallRequest as CallBody } from '../../../contracts/calls.ts';
import { defaultTemperature, type SingleCallRequest } from '../../../contracts/calls.ts';
import { tokensOfPrompt } from '../../../domain/chat-message.ts';

type Body = Pick<z.output<typeof CallBody>, 'messages' | 'temperature' | 'max_tokens' | 'purpose'> &
  Partial<z.output<typeof SingleCallRequest>>;

/** The fields that go to the upstream as they are. */
const forwarded = [
  'max_tokens',
  'response_format',
  'tools',
  'tool_choice',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'stop',
] as const;

/** The body of the upstream request: the fields of the interface and no others. JSON text. */
function upstreamBody(body: Body): string {
  const given = forwarded.filter((name) => body[name] !== undefined && body[name] !== null);
  return JSON.stringify({
    messages: body.messages,
    temperature: body.temperature ?? defaultTemperature,
    ...Object.fromEntries(given.map((name) => [name, body[name]])),
  });
}

/** What a request asks of a model. `metadata`: of the call, where the endpoint takes any. */
export const callRequest = (
  model: string,
  body: Body,
  metadata: Record<string, unknown> | null = null,
): CallRequest => ({
  model,
  body: upstreamBody(body),
  promptTokens: tokensOfPrompt(body),
  maxTokens: body.max_tokens ?? 0,
  purpose: body.purpose ?? null,
  metadata,
});
