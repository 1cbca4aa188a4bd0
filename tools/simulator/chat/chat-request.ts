import { z } from 'zod';
import { providerError, SimulatorError } from '../errors.ts';

const Tool = z.looseObject({
  type: z.string(),
  function: z.looseObject({ name: z.string(), parameters: z.record(z.string(), z.unknown()).optional() }).optional(),
});
export type Tool = z.infer<typeof Tool>;

/** Loose, like LiteLLM, which forwards unknown fields. Only the fields that the simulator reads have a type. */
export const ChatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown().optional() })).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  user: z.string().nullish(),
  tools: z.array(Tool).nullish(),
  tool_choice: z.union([z.string(), z.looseObject({ function: z.looseObject({ name: z.string() }) })]).nullish(),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()).optional() }).nullish(),
    })
    .nullish(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

export function readChatRequest(body: unknown): ChatRequest {
  const parsed = ChatRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const param = issue?.path.join('.') ?? '';
  if (param === 'messages' && (body as { messages?: unknown }).messages === undefined) {
    const message = "/chat/completions: Missing required parameter: 'messages'.";
    throw new SimulatorError(400, message, { type: 'invalid_request_error', param });
  }
  const { model } = body as { model?: unknown };
  throw providerError(400, String(model), { message: `Invalid '${param}': ${issue?.message}`, param });
}
