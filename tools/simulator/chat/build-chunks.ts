import type { Behaviour } from '../behaviour/behaviour.ts';
import { annotation, buildUsage, type Stamp, splitAnswer } from './build-completion.ts';
import type { Answer, ToolCall } from './compose-answer.ts';
import { leakingChoice, leakingFields } from './leaks.ts';
import { splitTokens } from './text.ts';

type Delta = Record<string, unknown>;

/** A fault `after` n chunks counts only content chunks. */
export type Chunk = { kind: 'content' | 'finish' | 'usage'; data: Record<string, unknown> };

const chunk = ({ id, created, model }: Stamp, choice: Delta, { leaks }: Behaviour) => ({
  ...(leaks && leakingFields),
  id,
  created,
  model,
  object: 'chat.completion.chunk',
  choices: [{ ...choice, ...(leaks && leakingChoice) }],
});

function deltas(answer: Answer, behaviour: Behaviour): Delta[] {
  const { content, toolCalls, reasoning } = answer;
  const field = behaviour.reply === 'refusal' ? 'refusal' : 'content';
  const pieces = behaviour.reply === 'huge' ? [content ?? ''] : splitTokens(content ?? '');
  return [
    ...splitTokens(reasoning).map((piece) => ({ [behaviour.reasoning]: piece })),
    ...pieces.map((piece) => ({ [field]: piece })),
    ...(behaviour.annotated ? [{ annotations: [annotation] }] : []),
    ...toolCalls.flatMap((call, index) => piecesOfCall(call, index, behaviour)),
  ];
}

/** LiteLLM sends id and name with the first piece of a tool call. */
function piecesOfCall({ id, type, function: called }: ToolCall, position: number, behaviour: Behaviour): Delta[] {
  const { toolPieces, reply } = behaviour;
  const index = toolPieces === 'zero-index' ? 0 : position;
  const { name } = called;
  const parts = splitTokens(called.arguments);
  if (reply === 'function-call') {
    return ['', ...parts].map((json, at) => ({ function_call: { ...(at === 0 && { name }), arguments: json } }));
  }
  const last = parts.length;
  return ['', ...parts].map((json, at) => {
    const isMarked = at === 0 || toolPieces === 'repeated';
    const hasId = toolPieces === 'late-ids' ? at === last : isMarked && id !== '';
    const piece = { index, ...(hasId && { id }), type, function: { ...(isMarked && { name }), arguments: json } };
    return { tool_calls: [piece] };
  });
}

/** The stream in LiteLLM's form: the role in the first chunk only, then the finish reason, then the usage if requested. */
export function buildChunks(stamp: Stamp, answer: Answer, behaviour: Behaviour, includeUsage: boolean): Chunk[] {
  const chunks = splitAnswer(answer, behaviour).flatMap((part, index) => choiceChunks(stamp, part, index, behaviour));
  const usage = includeUsage ? buildUsage(stamp, answer, behaviour, true) : undefined;
  if (usage) chunks.push({ kind: 'usage', data: { ...chunk(stamp, { index: 0, delta: {} }, behaviour), usage } });
  return chunks;
}

function choiceChunks(stamp: Stamp, answer: Answer, index: number, behaviour: Behaviour): Chunk[] {
  const [first = { content: '' }, ...others] = deltas(answer, behaviour);
  const content = inMessages([{ role: 'assistant', ...first }, ...others], behaviour.messages);
  const reason = answer.finishReason;
  const finishesFirst = behaviour.finishAt === 'first';
  const chunks = content.map((fields, position): Chunk => {
    const finish = finishesFirst && position === 0 ? { finish_reason: reason } : {};
    return { kind: 'content', data: chunk(stamp, { index, ...fields, ...finish }, behaviour) };
  });
  if (reason === null || finishesFirst) return chunks;
  const named = behaviour.namesStop && { stop_reason: answer.stop };
  return [
    ...chunks,
    { kind: 'finish', data: chunk(stamp, { index, delta: {}, finish_reason: reason, ...named }, behaviour) },
  ];
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
