import { until } from '../support/until.ts';
import { chat, readChunks, send, simulatorForTests, streamed, textOf } from './client.ts';

const simulator = simulatorForTests();

test.each([400, 401, 404, 408, 429, 500, 503])('an error %i has the form of LiteLLM', async (status) => {
  const reply = await chat(simulator, `sim-fail-${status}`);

  expect(reply.status).toBe(status);
  expect(reply.json).toMatchObject({ error: { message: expect.stringContaining('litellm.'), code: String(status) } });
});

test('a model name with `once` fails for its first request, independently of other names', async () => {
  const statuses = [];
  for (const name of ['sim-fail-502-once-as-a', 'sim-fail-502-once-as-a', 'sim-fail-502-once-as-b']) {
    statuses.push((await chat(simulator, name)).status);
  }

  expect(statuses).toEqual([502, 200, 502]);
});

test('an error can have a retry-after header', async () => {
  const reply = await chat(simulator, 'sim-fail-429-retry-after-7');

  expect(reply.headers.get('retry-after')).toBe('7');
});

test.each(['sim-reset', 'sim-stream-cut-2'])('%s breaks the connection, streamed or not', async (model) => {
  await expect(chat(simulator, model)).rejects.toThrow();
  await expect(chat(simulator, model, streamed)).rejects.toThrow();
});

test('sim-half-json answers 200 with half a JSON body', async () => {
  const reply = await chat(simulator, 'sim-half-json');

  expect(reply.status).toBe(200);
  expect(() => JSON.parse(reply.text)).toThrow(SyntaxError);
});

test('an error in a stream comes after the given number of chunks and ends the stream', async () => {
  const chunks = readChunks(await chat(simulator, 'sim-error-in-stream-2', streamed));

  expect(chunks).toHaveLength(3);
  expect(chunks.at(-1)?.error).toMatchObject({ code: '500' });
});

test('a stream can lack its finish reason, its usage and [DONE]', async () => {
  const reply = await chat(simulator, 'sim-no-finish-no-usage-no-done-tokens-2', streamed);

  expect(readChunks(reply)).toHaveLength(2);
  expect(reply.text).not.toContain('[DONE]');
});

test.each(['split-frames', 'crlf', 'comments'])('a stream with %s has the same text', async (framing) => {
  const reply = await chat(simulator, `sim-${framing}-echo`, streamed);

  expect(textOf(readChunks(reply))).toBe('Tell me about rivers');
});

test('an upstream can answer with HTML, with a redirect, or that the model does not exist', async () => {
  const [html, redirect, unknown] = await Promise.all(
    ['sim-wrong-type', 'sim-redirect', 'sim-unknown'].map((model) => chat(simulator, model)),
  );

  expect(html?.headers.get('content-type')).toContain('text/html');
  expect(redirect).toMatchObject({ status: 307 });
  expect(unknown).toMatchObject({ status: 400, json: { error: { type: 'invalid_request_error' } } });
});

test('empty, null, huge and unusual contents arrive unchanged', async () => {
  const [empty, none, nul, surrogate, huge] = await Promise.all(
    ['empty', 'null-content', 'null-bytes', 'lone-surrogate', 'huge-chunk'].map(async (word) => {
      const { json } = await chat(simulator, `sim-${word}`);
      return (json as { choices: { message: { content: string | null } }[] }).choices[0]?.message.content;
    }),
  );

  expect([empty, none]).toEqual(['', null]);
  expect(nul).toContain('\0');
  expect(surrogate).toContain('\ud800');
  expect(huge?.length).toBe(1_048_576);
});

test('the latency delays the first byte, and the interval each chunk', async () => {
  const startedAt = performance.now();

  await chat(simulator, 'sim-slow-60-tokens-4-every-20', streamed);

  expect(performance.now() - startedAt).toBeGreaterThan(115);
});

test('the request of a client that disconnects is counted as aborted', async () => {
  const client = new AbortController();
  const waiting = fetch(`${simulator.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sim-hang', messages: [{ role: 'user', content: 'hi' }] }),
    signal: client.signal,
  });
  await until(() => simulator.current.requestsFor({ model: 'sim-hang' }).length === 1);

  client.abort();

  await expect(waiting).rejects.toThrow();
  await until(() => simulator.current.requestsFor({ model: 'sim-hang' })[0]?.aborted === true);
  expect((await send(`${simulator.url}/simulator/counts`)).json).toMatchObject({ aborted: 1, running: 0 });
});
