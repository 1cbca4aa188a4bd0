import { randomUUID } from 'node:crypto';
import { createPubSub } from '../../src/redis/pubsub.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { closedAfterEach, openReadyRedis } from '../support/redis-for-tests.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

const closing = closedAfterEach();

/** PubSub on a connection that can be cut or stall, and another one that publishes. */
async function openChannels() {
  const proxy = await startFreezingProxy(new URL(services.redisUrl));
  closing.push(proxy.close);
  const redis = await openReadyRedis(closing, proxy.url);
  const { subscriber } = redis;
  const { commands } = await openReadyRedis(closing);
  const listenersOf = async (name: string) => Number((await commands.pubsub('NUMSUB', name))[1]);
  return { proxy, subscriber, commands, channels: createPubSub(redis), listenersOf };
}

test('subscribers receive messages again after the connection was cut, even if Redis did not respond on the next connection', async () => {
  const { proxy, subscriber, commands, channels } = await openChannels();
  const [subscribed, permanent] = [randomUUID(), randomUUID()];
  const received = new Set<string>();
  await channels.subscribe(subscribed, (text) => received.add(text));
  channels.subscribePermanently(permanent, (text) => received.add(text));

  const stalled = proxy.freezeConnectionThatSends(subscribed);
  subscriber.disconnect(true);
  await stalled;

  await until(async () => {
    await commands.publish(subscribed, 'to the subscriber');
    await commands.publish(permanent, 'to the permanent subscriber');
    return received.size === 2;
  });
});

test('a channel that was unsubscribed while Redis was frozen is not subscribed to afterwards', async () => {
  const { proxy, subscriber, channels, listenersOf } = await openChannels();
  const [unsubscribed, remaining] = [randomUUID(), randomUUID()];
  const unsubscribe = await channels.subscribe(unsubscribed, () => undefined);
  await channels.subscribe(remaining, () => undefined);

  const send = subscriber.sendCommand.bind(subscriber);
  const sent = new Promise<void>((resolve) => {
    subscriber.sendCommand = (command, stream) => {
      if (command.name === 'unsubscribe') resolve();
      return send(command, stream);
    };
  });
  proxy.freeze();
  subscriber.disconnect(true);
  unsubscribe();
  await sent;
  proxy.thaw();

  await until(async () => (await listenersOf(unsubscribed)) === 0 && (await listenersOf(remaining)) === 1);
});
