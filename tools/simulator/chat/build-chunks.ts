import type { Behaviour } from '../behaviour/behaviour.ts';
import { buildUsage, type Stamp, splitAnswer } from './build-completion.ts';
import type { Answer } from './compose-answer.ts';
import { splitTokens } from './text.ts';

type Delta = Record<string, unknown>;

/** For a fault `after` n chunks only content chunks count. */
export type Chunk = { kind: 'content' | 'finish' | 'usage'; data: Record<string, unknown> };

const chunk = ({ id, created, model }: Stamp, choice: Delta) => ({
  id,
  created,
  model,
  object: 'chat.completion.chunk',
  choices: [choice],
});

function deltas({ content, toolCalls }: Answer, behaviour: Behaviour): Delta[] {
  const pieces = behaviour.reply === 'huge' ? [content ?? ''] : splitTokens(content ?? '');
  const calls = toolCalls.flatMap(({ id, type, function: called }, index) => [
    { tool_calls: [{ index, id, type, function: { name: called.name, arguments: '' } }] },
    ...splitTokens(called.arguments).map((piece) => ({
      tool_calls: [{ index, type, function: { arguments: piece } }],
    })),
  ]);
  return [...pieces.map((piece) => ({ content: piece })), ...calls];
}

/** The stream in LiteLLM's form: the role in the first chunk only, then the finish reason, then the usage if requested. */
export function buildChunks(stamp: Stamp, answer: Answer, behaviour: Behaviour, includeUsage: boolean): Chunk[] {
  const chunks = splitAnswer(answer, behaviour).flatMap((part, index) => choiceChunks(stamp, part, index, behaviour));
  const usage = includeUsage ? buildUsage(stamp, answer, behaviour, true) : undefined;
  if (usage) chunks.push({ kind: 'usage', data: { ...chunk(stamp, { index: 0, delta: {} }), usage } });
  return chunks;
}

function choiceChunks(stamp: Stamp, answer: Answer, index: number, behaviour: Behaviour): Chunk[] {
  const [first = { content: '' }, ...others] = deltas(answer, behaviour);
  const content = inMessages([{ role: 'assistant', ...first }, ...others], behaviour.messages);
  const reason = answer.finishReason;
  const finishesFirst = behaviour.finishAt === 'first';
  const chunks = content.map((fields, position): Chunk => {
    const finish = finishesFirst && position === 0 ? { finish_reason: reason } : {};
    return { kind: 'content', data: chunk(stamp, { index, ...fields, ...finish }) };
  });
  if (reason === null || finishesFirst) return chunks;
  return [...chunks, { kind: 'finish', data: chunk(stamp, { index, delta: {}, finish_reason: reason }) }];
}

/** The deltas as choices of chunks: as they are, in messages with all of the text so far, or both. */
function inMessages(pieces: Delta[], messages: Behaviour['messages']): Delta[] {
  if (messages === 'deltas') return pieces.map((delta) => ({ delta }));
  let content = '';
  const growing = pieces.map((delta) => {
    content += delta.content ?? '';
    const message = { role: 'assistant', content };
    return messages === 'beside' ? { delta, message } : { message };
  });
  return messages === 'whole' ? growing.slice(-1) : growing;
}
