import { finalChunk, firstChunk, type Naming, nextChunk } from '../stream/chunks.ts';

const naming: Naming = { callId: '9a64d0f7-21c8-4e3d-b5fa-06e87b13c9d2', model: 'chat-large', created: 1_769_851_800 };
const usage = { promptTokens: 60, completionTokens: 28, totalTokens: 88 };

/** A whole stream, made by the functions that make the real ones. */
export const streamExample = [
  firstChunk(naming, { content: 'In January revenue rose by 12 percent to 4.2 million USD' }),
  nextChunk(naming, { content: ' at unchanged costs, and 42 customers were gained.' }),
  finalChunk(naming, { status: 'succeeded', finishReason: 'stop', usage, latencyMs: 0 }),
  '[DONE]',
]
  .map((event) => `data: ${event}\n\n`)
  .join('');
