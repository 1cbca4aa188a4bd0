import { finalChunk, firstChunk, type Naming, nextChunk } from '../../relay/chunks.ts';

const naming: Naming = { callId: '6f1d7c0e-4a7b-4f0e-9a53-0d6c1f4b2a91', model: 'chat-large', created: 1_769_860_800 };
const usage = { promptTokens: 12, completionTokens: 2, totalTokens: 14 };

/** A whole stream, made by the functions that make the real ones. */
export const streamExample = [
  firstChunk(naming, { content: 'Revenue' }),
  nextChunk(naming, { content: ' grew.' }),
  finalChunk(naming, { status: 'succeeded', finishReason: 'stop', usage, latencyMs: 0 }),
  '[DONE]',
]
  .map((event) => `data: ${event}\n\n`)
  .join('');
