import type { Behaviour } from '../behaviour/behaviour.ts';
import { buildUsage, type Stamp } from './build-completion.ts';
import type { Answer } from './compose-answer.ts';
import { splitTokens } from './text.ts';

type Delta = Record<string, unknown>;

/** For a fault `after` n chunks only content chunks count. */
export type Chunk = { kind: 'content' | 'finish' | 'usage'; data: Record<string, unknown> };

const chunk = ({ id, created, model }: Stamp, delta: Delta, rest: Delta = {}) => ({
  id,
  created,
  model,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, ...rest }],
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
  const [first = { content: '' }, ...others] = deltas(answer, behaviour);
  const usage = includeUsage ? buildUsage(stamp, answer, behaviour, true) : undefined;
  const content = [{ role: 'assistant', ...first }, ...others].map(
    (delta): Chunk => ({ kind: 'content', data: chunk(stamp, delta) }),
  );
  const finish: Chunk[] =
    answer.finishReason === null
      ? []
      : [{ kind: 'finish', data: chunk(stamp, {}, { finish_reason: answer.finishReason }) }];
  const last: Chunk[] = usage ? [{ kind: 'usage', data: { ...chunk(stamp, {}), usage } }] : [];
  return [...content, ...finish, ...last];
}
