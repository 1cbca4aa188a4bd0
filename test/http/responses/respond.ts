import type { ResponseEvent } from '../../../src/http/responses/answer/response-events.ts';
import type { Addressed, GivenTeam } from '../../support/given.ts';
import { type Answer, sendRequest } from '../../support/send-request.ts';

type Fields = Record<string, unknown>;

/** The responses of a team, by its own model group unless the fields name another model. */
export const respondWith =
  (gateway: Addressed, team: GivenTeam) =>
  (fields: Fields = {}, headers: Record<string, string> = {}): Promise<Answer> =>
    sendRequest(gateway.current.url, 'post', '/v1/responses', {
      key: team.key,
      body: { model: team.modelGroup, input: 'Tell me about rivers', ...fields },
      headers,
    });

export const responsesOf = (gateway: Addressed, team: GivenTeam) => {
  const send = (method: string, path: string): Promise<Answer> =>
    sendRequest(gateway.current.url, method, `/v1/responses/${path}`, { key: team.key });
  return {
    get: (id: string, query = '') => send('get', `${id}${query}`),
    delete: (id: string) => send('delete', id),
    inputItems: (id: string, query = '') => send('get', `${id}/input_items${query}`),
    cancel: (id: string) => send('post', `${id}/cancel`),
  };
};

/** The events of a stream, each of which has its type twice, without keepalives. */
export function readResponseEvents({ text }: Pick<Answer, 'text'>): ResponseEvent[] {
  if (!/^(?:event: [\w.]+\ndata: [^\n]*\n\n)*$/.test(text)) throw new Error(`not an event stream:\n${text}`);
  const events = text.split('\n\n').filter(Boolean);
  return events.flatMap((event) => {
    const [, type, data] = /^event: ([\w.]+)\ndata: (.*)$/.exec(event)!;
    const parsed = JSON.parse(data!) as ResponseEvent;
    expect(parsed.type).toBe(type);
    return type === 'keepalive' ? [] : [parsed];
  });
}
