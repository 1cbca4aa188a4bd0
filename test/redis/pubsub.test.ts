import { randomUUID } from 'node:crypto';
import { createPubSub } from '../../src/redis/pubsub.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { closedAfterEach, openReadyRedis } from '../support/redis-for-tests.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

const closing = closedAfterEach();

/** PubSub on a connection that can be cut or go silent, and another one that speaks. */
async function openChannels() {
  const proxy = await startFreezingProxy(new URL(services.redisUrl));
  closing.push(proxy.close);
  const redis = await openReadyRedis(closing, proxy.url);
  const { subscriber } = redis;
  const { commands } = await openReadyRedis(closing);
  const listenersOf = async (name: string) => Number((await commands.pubsub('NUMSUB', name))[1]);
  return { proxy, subscriber, commands, channels: createPubSub(redis), listenersOf };
}

test('who listens hears again after the connection was cut, also when Redis did not answer the next one at first', async () => {
  const { proxy, subscriber, commands, channels } = await openChannels();
  const [joined, kept] = [randomUUID(), randomUUID()];
  const heard = new Set<string>();
  await channels.subscribe(joined, (text) => heard.add(text));
  channels.subscribePermanently(kept, (text) => heard.add(text));

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
  const leave = await channels.subscribe(left, () => undefined);
  await channels.subscribe(stays, () => undefined);

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
