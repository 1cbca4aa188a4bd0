import { createLog } from '../../src/log.ts';
import { createCallEvents } from '../../src/redis/call-events.ts';
import { createDropReport } from '../../src/redis/dropped-messages.ts';
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

test('dropped messages are logged at once and then once in ten seconds, with their number', () => {
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

test('a listener that throws keeps no message from the others, nor from itself', async () => {
  const { commands, channels, dropped } = await openChannels();
  const heard: string[] = [];
  const thrower = (text: string) => {
    heard.push(`first ${text}`);
    throw new Error('broken');
  };
  await channels.join('a-channel', thrower);
  await channels.join('a-channel', (text) => heard.push(`second ${text}`));

  for (const text of ['one', 'two']) await commands.publish('a-channel', text);

  await until(() => heard.length === 4);
  expect(heard).toEqual(['first one', 'second one', 'first two', 'second two']);
  expect(dropped).toEqual(['a-channel', 'a-channel']);
});

test('of junk on the channel of a call and in its stream, only the frames are read', async () => {
  const { commands, channels, dropped } = await openChannels();
  const callId = crypto.randomUUID();
  const frames = createCallEvents(commands, channels);
  const heard: unknown[] = [];
  closing.push(await frames.subscribe(callId, (said) => heard.push(said)));
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

  await until(() => heard.length === 2);
  expect(heard).toEqual([first, second]);
  expect(await frames.kept(callId)).toEqual([first, second]);
  expect(dropped).toHaveLength(2 * junk.length + 1);
});

test.each([
  ['of another type', ['set', 'KEY', 'x']],
  ['whose ids are used up', ['xadd', 'KEY', '18446744073709551615-18446744073709551615', 'frame', 'x']],
])('a key %s does not hold up the frames of this and other calls', async (_, [command, ...args]) => {
  const { commands, channels } = await openChannels();
  const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const frames = createCallEvents(commands, channels);
  const frameOf = (callId: string) => ({ callId, attempt: 1, seq: 1, type: 'delta' as const, delta: { content: 'a' } });
  await commands.call(command!, ...args.map((arg) => arg.replace('KEY', `call:${one}:frames`)));

  await Promise.all([one, other].map((callId) => frames.publish(frameOf(callId), true)));

  expect(await frames.kept(one)).toEqual([frameOf(one)]);
  expect(await frames.kept(other)).toEqual([frameOf(other)]);
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
