import { readEvents } from '../../support/events.ts';
import type { Addressed, GivenTeam } from '../../support/given.ts';
import { type Answer, type Json, sendRequest } from '../../support/send-request.ts';

export const hello = [{ role: 'user', content: 'Tell me about rivers' }];

type Fields = Record<string, unknown>;

/** The chat completions of a team, by its own model group unless the fields name another model. */
export const chatWith =
  (gateway: Addressed, team: GivenTeam) =>
  (fields: Fields = {}, headers: Record<string, string> = {}): Promise<Answer> =>
    sendRequest(gateway.current.url, 'post', '/v1/chat/completions', {
      key: team.key,
      body: { model: team.modelGroup, messages: hello, ...fields },
      headers,
    });

interface ToolPiece {
  index: number;
  id?: string;
  type?: string;
  function: { name?: string; arguments?: string };
}

/** The chunks of a stream, without `[DONE]`, which has to be its end. */
export function readChunks({ text }: Answer): Json[] {
  const events = readEvents(text);
  expect(events.at(-1)).toBe('[DONE]');
  return events.slice(0, -1).map((event) => JSON.parse(event));
}

/** What a client that joins all texts puts together from a stream, as the message of a plain answer. */
export function joined(answer: Answer) {
  const choices = readChunks(answer).flatMap((chunk) => chunk.choices ?? []);
  const deltas = choices.map(({ delta }: Json) => delta);
  const textOf = (field: string) => deltas.map((delta: Json) => delta[field] ?? '').join('');
  const toolCalls: Json[] = [];
  for (const piece of deltas.flatMap((delta: Json): ToolPiece[] => delta.tool_calls ?? [])) {
    const call = toolCalls[piece.index] ?? { id: '', type: '', function: { name: '', arguments: '' } };
    toolCalls[piece.index] = call;
    call.id += piece.id ?? '';
    call.type += piece.type ?? '';
    call.function.name += piece.function.name ?? '';
    call.function.arguments += piece.function.arguments ?? '';
  }
  const functionCalls = deltas.flatMap((delta: Json) => delta.function_call ?? []);
  const functionText = (field: string) => functionCalls.map((piece: Json) => piece[field] ?? '').join('');
  const annotations = deltas.flatMap((delta: Json) => delta.annotations ?? []);
  const [content, refusal, reasoning] = [textOf('content'), textOf('refusal'), textOf('reasoning_content')];
  const hasCalls = toolCalls.length > 0 || functionCalls.length > 0;
  return {
    message: {
      role: textOf('role'),
      content: content || (hasCalls || refusal ? null : ''),
      refusal: refusal || null,
      ...(reasoning && { reasoning_content: reasoning }),
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
      ...(functionCalls.length > 0 && {
        function_call: { name: functionText('name'), arguments: functionText('arguments') },
      }),
      ...(annotations.length > 0 && { annotations }),
    },
    finish_reason: choices.at(-1)?.finish_reason,
  };
}
