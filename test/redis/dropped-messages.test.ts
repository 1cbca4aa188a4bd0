import { createLog } from '../../src/log.ts';
import { createCallEvents } from '../../src/redis/call-events.ts';
import { createDropReport } from '../../src/redis/connection.ts';
import { createPubSub } from '../../src/redis/pubsub.ts';
import { createWorkflowBroadcasts } from '../../src/redis/workflow-broadcasts.ts';
import { closedAfterEach, openReadyRedis } from '../support/redis-for-tests.ts';
import { until } from '../support/until.ts';
import { junkAbout } from './junk.ts';

const closing = closedAfterEach();

function openLog() {
  const lines: { msg: string; channel: string; dropped: number; err?: { message: string } }[] = [];
  return { lines, log: createLog('info', 'test', { write: (line) => void lines.push(JSON.parse(line)) }) };
}

test('the first dropped message is logged at once, and later ones together every ten seconds, with their number', () => {
  const { lines, log } = openLog();
  let now = 0;
  const report = createDropReport(log, () => now);

  for (; now < 25_000; now += 10) report('a-channel');

  expect(lines).toMatchObject([
    { msg: 'redis: message dropped', channel: 'a-channel', dropped: 1 },
    { msg: 'redis: message dropped', channel: 'a-channel', dropped: 1_000 },
    { msg: 'redis: message dropped', channel: 'a-channel', dropped: 1_000 },
  ]);
});

async function openChannels() {
  const redis = await openReadyRedis(closing);
  // Megabytes of junk take longer on a busy machine than a command of the gateway may.
  const commands = redis.commands.duplicate({ commandTimeout: undefined, enableOfflineQueue: true });
  closing.push(() => commands.disconnect());
  const dropped: string[] = [];
  const channels = createPubSub({ ...redis, reportDropped: (source) => dropped.push(source) });
  return { commands, channels, dropped };
}

test('after a listener has thrown, it and the others still receive messages', async () => {
  const { commands, channels, dropped } = await openChannels();
  const received: string[] = [];
  const thrower = (text: string) => {
    received.push(`first ${text}`);
    throw new Error('broken');
  };
  await channels.subscribe('a-channel', thrower);
  await channels.subscribe('a-channel', (text) => received.push(`second ${text}`));

  for (const text of ['one', 'two']) await commands.publish('a-channel', text);

  await until(() => received.length === 4);
  expect(received).toEqual(['first one', 'second one', 'first two', 'second two']);
  expect(dropped).toEqual(['a-channel', 'a-channel']);
});

test('junk on the channel of a call and in its stream is dropped, and the frames are read', async () => {
  const { commands, channels, dropped } = await openChannels();
  const callId = crypto.randomUUID();
  const frames = createCallEvents(commands, channels);
  const received: unknown[] = [];
  closing.push(await frames.subscribe(callId, (event) => received.push(event)));
  const first = { callId, attempt: 1, seq: 0, type: 'delta' as const, delta: { content: 'a' } };
  const second = { ...first, seq: 1 };
  const junk = junkAbout(callId);

  await frames.publish(first, true);
  for (const text of junk) {
    await commands.publish(`call:${callId}`, text);
    await commands.xadd(`call:${callId}:frames`, '*', 'frame', text);
  }
  await commands.xadd(`call:${callId}:frames`, '*', 'a', 'b', 'c', 'd');
  await frames.publish(second, true);

  await until(() => received.length === 2);
  expect(received).toEqual([first, second]);
  expect(await frames.storedFrames(callId)).toEqual([first, second]);
  expect(dropped).toHaveLength(2 * junk.length + 1);
});

test.each([
  ['of another type', ['set', 'KEY', 'x']],
  ['whose ids are used up', ['xadd', 'KEY', '18446744073709551615-18446744073709551615', 'frame', 'x']],
])('a key %s is replaced, and the frames of this and other calls are published', async (_, [command, ...args]) => {
  const { commands, channels } = await openChannels();
  const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const frames = createCallEvents(commands, channels);
  const frameOf = (callId: string) => ({ callId, attempt: 1, seq: 1, type: 'delta' as const, delta: { content: 'a' } });
  await commands.call(command!, ...args.map((arg) => arg.replace('KEY', `call:${one}:frames`)));

  await Promise.all([one, other].map((callId) => frames.publish(frameOf(callId), true)));

  expect(await frames.storedFrames(one)).toEqual([frameOf(one)]);
  expect(await frames.storedFrames(other)).toEqual([frameOf(other)]);
  expect(await commands.ttl(`call:${one}:frames`)).toBeGreaterThan(0);
});

test('junk on a channel of workflow ids is dropped, and the next id is received', async () => {
  const { commands, channels, dropped } = await openChannels();
  const [name, id] = [`test-${crypto.randomUUID()}`, `job-${crypto.randomUUID()}`];
  const heard = createWorkflowBroadcasts(channels, name).subscribe(id);
  const junk = junkAbout(id);
  await until(async () => Number((await commands.pubsub('NUMSUB', name))[1]) === 1);

  for (const text of junk) await commands.publish(name, text);
  await commands.publish(name, `job-${crypto.randomUUID()}`);
  await commands.publish(name, id);

  await until(() => heard.signal.aborted);
  expect(dropped).toEqual(junk.map(() => name));
});
