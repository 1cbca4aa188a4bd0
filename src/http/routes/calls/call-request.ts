import type { z } from 'zod';
import { type CallRequest, defaultTemperature, type SingleCallRequest } from '../../../contracts/calls.ts';

type Asked = Partial<z.output<typeof SingleCallRequest>> &
  Pick<z.output<typeof CallRequest>, 'messages' | 'temperature' | 'max_tokens'>;

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

/** The upstream request without the model: the fields of the interface and nothing else. JSON text. */
export function upstreamRequest(asked: Asked): string {
  const given = forwarded.filter((name) => asked[name] !== undefined && asked[name] !== null);
  return JSON.stringify({
    messages: asked.messages,
    temperature: asked.temperature ?? defaultTemperature,
    ...Object.fromEntries(given.map((name) => [name, asked[name]])),
  });
}
