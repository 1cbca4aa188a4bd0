import { Redis } from 'ioredis';
import { startOwnRedis } from '../faults/support/own-redis.ts';
import { readEvents } from '../support/events.ts';
import { as, expectOk, type GivenTeam, givenIn, singleCallBody } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { type Installation, openInstallation } from './support/installation.ts';

// Its own Redis, because malformed messages go to every channel.
let ownRedis: Awaited<ReturnType<typeof startOwnRedis>>;
let redis: Redis;
let current: Installation;
const installation = {
  get current() {
    return current;
  },
};
const given = givenIn(installation);

beforeAll(async () => {
  ownRedis = await startOwnRedis();
  redis = new Redis(ownRedis.url);
  current = await openInstallation({ settings: { REDIS_URL: ownRedis.url } });
}, 120_000);

afterAll(async () => {
  await current?.close();
  redis?.disconnect();
  await ownRedis?.close();
}, 120_000);

const junk = (callId: string): (string | Buffer)[] => [
  'x',
  '',
  '{',
  'null',
  '[]',
  '7',
  '"text"',
  '{}',
  '[[[[',
  '\u0000',
  Buffer.from([0xff, 0xfe, 0xc3]),
  'x'.repeat(1_000_000),
  '['.repeat(100_000),
  '{"__proto__":{"type":"end"}}',
  '{"callId":null}',
  '{"type":"end"}',
  ...[
    { type: 'delta' },
    { type: 'delta', delta: null },
    { type: 'delta', delta: { tool_calls: 'x' } },
    { type: 'end' },
    { type: 'end', end: null },
    { type: 'end', end: { status: 'nonsense' } },
    { type: 'end', end: { status: 'succeeded' } },
    { type: 'other' },
    { type: 'started', extra: [] },
  ]
    .flatMap((frame) =>
      [
        {},
        { attempt: 1, seq: 0 },
        { attempt: '1', seq: 'x' },
        { attempt: 1e9, seq: -1 },
        { attempt: 1, seq: null },
      ].map((numbers) => JSON.stringify({ callId, ...numbers, ...frame })),
    )
    .filter((text) => !/"attempt":1,"seq":0/.test(text)),
];

const contentOf = (text: string) =>
  readEvents(text)
    .filter((event) => event !== '[DONE]')
    .map((event) => JSON.parse(event).choices?.[0]?.delta.content ?? '')
    .join('');

const slowTeam = () => given.team({ models: ['sim-tokens-30-every-100'] });

async function openStream(team: GivenTeam, headers: Record<string, string> = {}) {
  const response = await fetch(`${current.url}/api/jobs/create-and-call-stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${team.key}`, ...headers },
    body: JSON.stringify(singleCallBody(team)),
  });
  return { callId: response.headers.get('x-call-id')!, text: response.text() };
}

async function expectToServe(team: GivenTeam): Promise<void> {
  expect(current.api.isRunning()).toBe(true);
  expectOk(await as(installation, team).single());
}

test('a stream whose channel receives malformed messages arrives complete, and the api logs a warning and continues', async () => {
  const team = await slowTeam();
  const expected = contentOf(await (await openStream(team)).text);
  const { callId, text } = await openStream(team);
  const channels = await until(
    () => redis.pubsub('CHANNELS', `*${callId}*`) as Promise<string[]>,
    (found) => found.length > 0,
  );

  for (const channel of channels) for (const message of junk(callId)) await redis.publish(channel, message as string);

  const received = await text;
  expect(contentOf(received)).toBe(expected);
  expect(readEvents(received).at(-1)).toBe('[DONE]');
  expect(received).not.toContain('"error"');
  const warned = () => current.api.log().filter(({ level, msg }) => level >= 40 && /redis|frame|message/i.test(msg));
  await until(warned, (lines) => lines.length > 0, 5_000);
  await expectToServe(team);
});

test('malformed messages on every channel end neither the api nor the worker', async () => {
  const team = await slowTeam();
  const { callId, text } = await openStream(team);
  await until(
    () => redis.pubsub('CHANNELS', `*${callId}*`) as Promise<string[]>,
    (found) => found.length > 0,
  );

  for (const channel of (await redis.pubsub('CHANNELS', '*')) as string[])
    for (const message of junk(callId)) await redis.publish(channel, message as string);

  expect(readEvents(await text).at(-1)).toBe('[DONE]');
  await expectToServe(team);
  expect((await sendRequest(current.url, 'get', '/health')).body.dependencies).toMatchObject({
    worker: 'up',
    redis: 'up',
  });
});

test('a repeated stream whose stored frames include malformed ones has the text of the first', async () => {
  const team = await slowTeam();
  const key = { 'idempotency-key': 'with-junk' };
  const first = await openStream(team, key);
  const streams = await until(
    async () => await redis.keys(`*${first.callId}*`),
    (found) => found.length > 0,
  );

  for (const stream of streams)
    for (const message of junk(first.callId)) await redis.xadd(stream, '*', 'frame', message as string);
  const again = await openStream(team, key).catch(() => undefined);

  const [whole, repeated] = [await first.text, await again?.text];
  expect(contentOf(whole)).not.toBe('');
  if (repeated?.includes('data: ')) expect(contentOf(repeated)).toBe(contentOf(whole));
  await expectToServe(team);
});
