import { rawUpstreamForTests } from './raw-upstream.ts';
import { type RequestOutcome, requestOnce } from './request-once.ts';

/** Requests to an upstream that answers each of them with the given JSON, whole or as the events of a stream. */
export function rawAnswersForTests() {
  const upstream = rawUpstreamForTests();
  const request = (options?: Parameters<typeof requestOnce>[2]): Promise<RequestOutcome> =>
    requestOnce(upstream.url, 'a-model', options);
  return {
    upstream,
    request,
    stream: () => request({ streamed: true }),
    answerWith(json: unknown, status = 200): void {
      upstream.answer = (response) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    },
    streamWith(...events: unknown[]): void {
      upstream.answer = (response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(toStream(...events));
    },
  };
}

export const event = (json: unknown): string => `data: ${JSON.stringify(json)}\n\n`;
export const toStream = (...events: unknown[]): string => `${events.map(event).join('')}data: [DONE]\n\n`;

export const delta = (fields: object) => ({ choices: [{ index: 0, delta: fields }] });
export const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
export const usage = {
  choices: [],
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10, cost: 0.25 },
};
