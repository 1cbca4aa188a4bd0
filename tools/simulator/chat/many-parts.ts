import type { Behaviour } from '../behaviour/behaviour.ts';
import type { Chunk } from './build-chunks.ts';
import { annotation, type Stamp } from './build-completion.ts';

type Many = NonNullable<Behaviour['many']>;

const toolCall = (index: number) => ({
  index,
  id: `call_${index}`,
  type: 'function',
  function: { name: 'f', arguments: '{}' },
});

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

/** A piece without a mark continues the tool call of the first choice. */
const piece = { index: 0, function: { arguments: ' ' } };

/** The choices of one event or body, each with a part of a tool call. */
const newChoices = (count: number, part: 'delta' | 'message') =>
  numbers(count).map((index) => ({
    index,
    [part]: { tool_calls: [part === 'message' || index === 0 ? toolCall(0) : piece] },
    ...(part === 'message' && { finish_reason: 'stop' }),
  }));

/** A stream of an upstream that sends more parts than any client needs. */
export function manyChunks(stamp: Stamp, { what, count }: Many): Chunk[] {
  const content = (choices: unknown): Chunk => ({
    kind: 'content',
    data: { ...stamp, object: 'chat.completion.chunk', choices },
  });
  if (what === 'choices') return [content(newChoices(count, 'delta'))];
  const delta = (n: number) =>
    what === 'annotations' ? { content: 'a', annotations: [annotation] } : { tool_calls: [toolCall(n)] };
  return numbers(count).map((n) => content([{ index: 0, delta: delta(n) }]));
}

/** The same as one body. */
export function manyChoices({ what, count }: Many): unknown[] {
  if (what === 'choices') return newChoices(count, 'message');
  const message =
    what === 'annotations'
      ? { annotations: numbers(count).map(() => annotation) }
      : { tool_calls: numbers(count).map(toolCall) };
  return [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello', ...message } }];
}
