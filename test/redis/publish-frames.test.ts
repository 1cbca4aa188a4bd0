import { randomUUID } from 'node:crypto';
import { createFramePublishing } from '../../src/redis/publish-frames.ts';
import { closedAfterEach, openReadyRedis } from '../support/redis-for-tests.ts';
import { until } from '../support/until.ts';

const closing = closedAfterEach();

async function openPublisher() {
  const { commands, subscriber } = await openReadyRedis(closing);
  const [channel, key] = [randomUUID(), randomUUID()];
  const received: string[] = [];
  subscriber.on('message', (_, text: string) => received.push(text));
  await subscriber.subscribe(channel);
  const publishFrame = createFramePublishing(commands);
  const sent: string[] = [];
  const send = commands.sendCommand.bind(commands);
  commands.sendCommand = (command, stream) => {
    sent.push(command.name);
    return send(command, stream);
  };
  const publish = (text: string, isUrgent = false) => publishFrame({ channel, key, text, expirySeconds: 10, isUrgent });
  const stored = async () => (await commands.xrange(key, '-', '+')).map(([, [, text]]) => text);
  return { sent, publish, received, stored };
}

test('frames that come together are published in one command, or several of a bounded size, and in order', async () => {
  const { sent, publish, received, stored } = await openPublisher();
  const long = 'x'.repeat(200_000);
  const together = ['one', 'two', 'three', `four ${long}`, `five ${long}`, 'six'];

  await publish('zero');
  sent.splice(0);
  await Promise.all(together.map((text) => publish(text)));
  await publish('seven');

  // Up to "four", from "five", and "seven".
  expect(sent).toEqual(['evalsha', 'evalsha', 'evalsha']);
  const all = ['zero', ...together, 'seven'];
  expect(await stored()).toEqual(all);
  await until(() => received.length === all.length);
  expect(received).toEqual(all);
});

test('an urgent frame is published at once, together with the frames that wait', async () => {
  const { sent, publish, stored } = await openPublisher();

  await publish('zero');
  sent.splice(0);
  const published = [publish('one'), publish('two', true)];
  await new Promise(setImmediate);

  expect(sent).toEqual(['evalsha']);
  await Promise.all(published);
  expect(await stored()).toEqual(['zero', 'one', 'two']);
});
