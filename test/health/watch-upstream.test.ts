import type { ServerResponse } from 'node:http';
import { watchUpstream } from '../../src/health/watch-upstream.ts';
import { createLog } from '../../src/log.ts';
import { createUpstreamClient } from '../../src/upstream/client.ts';
import { until } from '../support/until.ts';
import { rawUpstreamForTests } from '../upstream/raw-upstream.ts';

const raw = rawUpstreamForTests();
const key = 'sk-master-of-the-upstream';

async function watch(answer: (response: ServerResponse) => unknown, baseUrl = raw.url) {
  raw.answer = answer;
  const lines: string[] = [];
  const client = createUpstreamClient({ baseUrl, timeoutMs: 2_000 });
  const watched = watchUpstream(client, key, createLog('info', 'test', { write: (line) => lines.push(line) }));
  const models = await watched.models();
  await until(() => lines.length > 0 || models !== undefined);
  return { watched, client, models, lines, state: watched.state() };
}

const json =
  (body: unknown, status = 200) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

test('an upstream that lists its models is up, and nothing is logged (spec 14.1)', async () => {
  const { state, models, lines } = await watch(json({ data: [{ id: 'a' }, { id: 'b' }] }));

  expect([state, models, lines]).toEqual(['up', ['a', 'b'], []]);
});

test.each<[string, (response: ServerResponse) => unknown, string, string, string]>([
  ['refuses the key', json({ error: { message: 'secret words' } }, 401), 'down', '(401)', 'UPSTREAM_MASTER_KEY'],
  ['is not at this address', json({ detail: 'Not Found' }, 404), 'unknown', '(404)', 'UPSTREAM_BASE_URL'],
  [
    'redirects',
    (response) => response.writeHead(307, { location: '/' }).end(),
    'unknown',
    '(307)',
    'UPSTREAM_BASE_URL',
  ],
  ['sends a web page', (response) => response.end('<html>secret words'), 'down', 'something else', 'UPSTREAM_BASE_URL'],
  ['sends another JSON', json({ models: ['a'] }), 'down', 'something else', 'UPSTREAM_BASE_URL'],
  ['fails', json({}, 503), 'down', '503', 'log of the upstream'],
  ['breaks off', (response) => response.destroy(), 'down', 'could not be reached', 'UPSTREAM_BASE_URL'],
])(
  'an upstream that %s is logged once with what helps, without its words (spec 14.1)',
  async (_, answer, state, problem, help) => {
    const { watched, lines, state: seen } = await watch(answer);
    await watched.models();

    expect(seen).toBe(state);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 40,
      msg: expect.stringMatching(/^upstream: /),
      help: expect.stringContaining(help),
    });
    expect(lines[0]).toContain(problem);
    expect(lines[0]).not.toMatch(/secret words|sk-master|127\.0\.0\.1/);
  },
);

test('an upstream that is away is down by the code of the connection, and its return is logged (spec 14.1)', async () => {
  const { lines, state } = await watch(json({}), 'http://127.0.0.1:1');

  expect([state, lines.length]).toEqual(['down', 1]);
  expect(lines[0]).toContain('ECONNREFUSED');
});

test('an upstream that hangs has no list within a second, and is logged when it answers again (spec 7.12)', async () => {
  const { watched, lines } = await watch(json({}, 503));
  raw.answer = () => undefined;
  const startedAt = performance.now();
  expect(await watched.models()).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(3_000);

  raw.answer = json({ data: [{ id: 'a' }] });
  expect(await watched.models()).toEqual(['a']);
  expect(lines.map((line) => JSON.parse(line).msg).at(-1)).toBe('upstream: available again');
});
