import type { Addressed, GivenTeam } from '../../support/given.ts';
import { type Answer, type Json, sendRequest } from '../../support/send-request.ts';

export const hello = [{ role: 'user', content: 'Tell me about rivers' }];

type Fields = Record<string, unknown>;

/** The messages of a team, by its own model group unless the fields name another model. */
export const messagesWith =
  (gateway: Addressed, team: GivenTeam, path = '/v1/messages') =>
  (fields: Fields = {}, headers: Record<string, string> = {}): Promise<Answer> =>
    sendRequest(gateway.current.url, 'post', path, {
      headers: { 'x-api-key': team.key, 'anthropic-version': '2023-06-01', ...headers },
      body: { model: team.modelGroup, max_tokens: 1_000, messages: hello, ...fields },
    });

/** The data of each event, whose name has to be its type. */
export function readNamedEvents(text: string): Json[] {
  const events = text.split('\n\n');
  expect(events.pop()).toBe('');
  return events.map((event) => {
    const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
    const parsed = JSON.parse(data ?? 'null');
    expect(parsed?.type).toBe(name);
    return parsed;
  });
}

/** What a client puts together from the events, as the message of a plain answer. Each event has to be in its place. */
export function joinEvents(events: Json[]): Json {
  const [start, ...others] = events.filter(({ type }) => type !== 'ping');
  expect(start.type).toBe('message_start');
  const message = structuredClone(start.message);
  let open: { block: Json; json: string } | undefined;
  for (const event of others) {
    if (event.type === 'content_block_start') {
      expect([open, event.index]).toEqual([undefined, message.content.length]);
      open = { block: { ...event.content_block }, json: '' };
    } else if (event.type === 'content_block_delta') {
      expect(event.index).toBe(message.content.length);
      const { type, ...delta } = event.delta;
      if (type === 'input_json_delta') open!.json += delta.partial_json;
      else for (const [name, piece] of Object.entries(delta)) open!.block[name] += piece as string;
    } else if (event.type === 'content_block_stop') {
      expect(event.index).toBe(message.content.length);
      if (open!.json !== '') open!.block.input = JSON.parse(open!.json);
      message.content.push(open!.block);
      open = undefined;
    } else if (event.type === 'message_delta') Object.assign(message, event.delta, { usage: event.usage });
  }
  expect(events.slice(-2).map(({ type }) => type)).toEqual(['message_delta', 'message_stop']);
  return message;
}
