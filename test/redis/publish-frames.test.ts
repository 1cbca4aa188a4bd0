import { randomUUID } from 'node:crypto';
import { createFramePublishing } from '../../src/redis/publish-frames.ts';
import { closedAfterEach, openReadyRedis } from '../support/redis-for-tests.ts';
import { until } from '../support/until.ts';

const closing = closedAfterEach();

async function openSpeaker() {
  const { commands, subscriber } = await openReadyRedis(closing);
  const [channel, key] = [randomUUID(), randomUUID()];
  const heard: string[] = [];
  subscriber.on('message', (_, text: string) => heard.push(text));
  await subscriber.subscribe(channel);
  const speak = createFramePublishing(commands);
  const sent: string[] = [];
  const send = commands.sendCommand.bind(commands);
  commands.sendCommand = (command, stream) => {
    sent.push(command.name);
    return send(command, stream);
  };
  const say = (text: string, isUrgent = false) => speak({ channel, key, text, keptSeconds: 10, isUrgent });
  const kept = async () => (await commands.xrange(key, '-', '+')).map(([, [, text]]) => text);
  return { sent, say, heard, kept };
}

test('what comes together leaves in one command, however much it is in pieces that Redis can take, and keeps its order', async () => {
  const { sent, say, heard, kept } = await openSpeaker();
  const long = 'x'.repeat(200_000);
  const together = ['one', 'two', 'three', `four ${long}`, `five ${long}`, 'six'];

  await say('zero');
  sent.splice(0);
  await Promise.all(together.map((text) => say(text)));
  await say('seven');

  // As far as "four", from "five" on, and "seven".
  expect(sent).toEqual(['evalsha', 'evalsha', 'evalsha']);
  const all = ['zero', ...together, 'seven'];
  expect(await kept()).toEqual(all);
  await until(() => heard.length === all.length);
  expect(heard).toEqual(all);
});

test('what is urgent waits for nothing, and takes along what waits', async () => {
  const { sent, say, kept } = await openSpeaker();

  await say('zero');
  sent.splice(0);
  const said = [say('one'), say('two', true)];
  await new Promise(setImmediate);

  expect(sent).toEqual(['evalsha']);
  await Promise.all(said);
  expect(await kept()).toEqual(['zero', 'one', 'two']);
});
