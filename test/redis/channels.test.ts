import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createLog } from '../../src/log.ts';
import { createChannels } from '../../src/redis/channels.ts';
import { openRedis } from '../../src/redis/redis.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Channels on a connection that can be cut or go silent, and another one that speaks. */
async function openChannels() {
  const proxy = await startFreezingProxy(new URL(services.redisUrl));
  closing.push(proxy.close);
  const [heard, speaking] = [proxy.url, services.redisUrl].map((url) => {
    const redis = openRedis(url, createLog('silent', 'test'));
    closing.push(redis.close);
    return redis;
  });
  const { subscriber } = heard!;
  const { commands } = speaking!;
  await Promise.all([subscriber, commands].map((one) => one.status === 'ready' || once(one, 'ready')));
  const listenersOf = async (name: string) => Number((await commands.pubsub('NUMSUB', name))[1]);
  return { proxy, subscriber, commands, channels: createChannels(subscriber), listenersOf };
}

test('who listens hears again after the connection was cut, also when Redis did not answer the next one at first', async () => {
  const { proxy, subscriber, commands, channels } = await openChannels();
  const [joined, kept] = [randomUUID(), randomUUID()];
  const heard = new Set<string>();
  await channels.join(joined, (text) => heard.add(text));
  channels.keep(kept, (text) => heard.add(text));

  const silent = proxy.silenceWhoSays(joined);
  subscriber.disconnect(true);
  await silent;

  await until(async () => {
    await commands.publish(joined, 'to who joined');
    await commands.publish(kept, 'to who stays');
    return heard.size === 2;
  });
});

test('a channel that was left while Redis was away is not listened for when it is back', async () => {
  const { proxy, subscriber, channels, listenersOf } = await openChannels();
  const [left, stays] = [randomUUID(), randomUUID()];
  const leave = await channels.join(left, () => undefined);
  await channels.join(stays, () => undefined);

  const send = subscriber.sendCommand.bind(subscriber);
  const asked = new Promise<void>((resolve) => {
    subscriber.sendCommand = (command, stream) => {
      if (command.name === 'unsubscribe') resolve();
      return send(command, stream);
    };
  });
  proxy.freeze();
  subscriber.disconnect(true);
  leave();
  await asked;
  proxy.thaw();

  await until(async () => (await listenersOf(left)) === 0 && (await listenersOf(stays)) === 1);
});
