/**
 * OpenTelemetry's names for a request to a model, as of its semantic conventions 1.45 for generative AI. They are in development there, and
 * nowhere else here, so that a change of theirs is one of this file.
 */
export const genAi = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  stream: 'gen_ai.request.stream',
  responseModel: 'gen_ai.response.model',
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  serverAddress: 'server.address',
  serverPort: 'server.port',
} as const;

export type GenAiOperation = 'chat' | 'embeddings';
