import { once } from 'node:events';
import { createUpstreamClient } from '../../src/upstream/client.ts';
import { delta, event, finish, rawAnswersForTests, toStream, usage } from './raw-answers.ts';
import { textOf } from './request-once.ts';

const { upstream, request, stream, streamWith } = rawAnswersForTests();

const text = 'Grüße, 你好 😀';
const bytes = Buffer.from(toStream(...[...text].map((content) => delta({ content })), finish, usage));
const finished = bytes.indexOf('"finish_reason"');

/** After any byte, the answer is an error or complete, and no delta is passed on twice. */
test.each([
  ['the connection breaks', 'broken' as const],
  ['the upstream ends its response in an orderly way', 'ended' as const],
])(
  'a stream that stops after any byte, because %s, is an error or complete',
  async (_, how) => {
    const client = createUpstreamClient({ baseUrl: upstream.url, timeoutMs: 2_000 });
    const shared = { ...client, close: async () => undefined };
    for (let at = 0; at < bytes.length; at += 1) {
      upstream.answer = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        if (how === 'ended') response.end(bytes.subarray(0, at));
        else response.write(bytes.subarray(0, at), () => setImmediate(() => response.destroy()));
      };

      const { answer, deltas, error } = await request({ streamed: true, upstream: shared });

      expect(text.startsWith(textOf(deltas))).toBe(true);
      expect(answer.message.content).toBe(textOf(deltas));
      if (how === 'broken')
        expect(error?.message).toMatch(/^the upstream (broke off its answer|could not be reached)$/);
      else if (at < finished) expect(error?.message).toBe('the upstream ended the stream without a finish reason');
      else if (!error) expect([answer.finishReason, textOf(deltas)]).toEqual(['stop', text]);
    }
    await client.close();
  },
  60_000,
);

test('an event with empty data in a stream is ignored', async () => {
  const events = [delta({ content: 'hi' }), finish].map((chunk) => `data:\n\n${event(chunk)}data: \n\n`);
  upstream.answer = (response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${events.join('')}data: [DONE]\n\n`);

  const { deltas, error } = await stream();

  expect([textOf(deltas), error]).toEqual(['hi', undefined]);
});

test('a surrogate pair that is split between two chunks is complete in the recorded message', async () => {
  streamWith(delta({ content: '\ud83d' }), delta({ content: '\ude00' }), finish);

  expect((await stream()).answer.message.content).toBe('😀');
});

test('an empty finish reason in a stream does not count as a finish reason', async () => {
  streamWith({ choices: [{ delta: { content: 'hi' }, finish_reason: '' }] }, finish, usage);

  const { answer } = await stream();

  expect(answer).toMatchObject({ finishReason: 'stop', usage: { totalTokens: 10 }, reportedCostUsd: '0.25' });
});

test('a connection is used again for the next stream, although what follows [DONE] is not waited for', async () => {
  const client = createUpstreamClient({ baseUrl: upstream.url, timeoutMs: 2_000 });
  const shared = { ...client, close: async () => undefined };
  const before = upstream.connections;
  let ended: Promise<unknown> = Promise.resolve();
  upstream.answer = (response) => {
    ended = once(response, 'close');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(toStream(delta({ content: 'hi' }), finish));
    setTimeout(() => response.end(': and something after it\n\n'), 20);
  };

  for (let count = 0; count < 6; count += 1) {
    expect((await request({ streamed: true, upstream: shared })).error).toBeUndefined();
    await ended;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await client.close();

  expect(upstream.connections - before).toBeLessThan(4);
});
