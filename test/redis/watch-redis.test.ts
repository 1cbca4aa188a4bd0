import { createLog } from '../../src/log.ts';
import { openRedis } from '../../src/redis/connection.ts';
import { watchRedis } from '../../src/redis/watch-redis.ts';
import { freePort } from '../../tools/dev/services/free-port.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

const log = createLog('silent', 'test');

test('a Redis that is absent from the start is never reported as up', async () => {
  const redis = openRedis(`redis://127.0.0.1:${await freePort()}`, log);

  const health = await watchRedis(redis, log);

  expect(health.isUp()).toBe(false);
  health.close();
  await redis.close();
});

test.each([
  ['no writes', ['-set'], ['+set']],
  ['no scripts', ['-eval'], ['+eval']],
  ['no messages', ['resetchannels'], ['allchannels']],
])('a Redis that responds and permits %s is down', async (_, denied, granted) => {
  const admin = openRedis(services.redisUrl, log);
  await until(() => admin.commands.status === 'ready');
  await admin.commands.call('acl', 'setuser', 'reader', 'on', '>secret', '+@all', '~*', '&*', ...denied);
  const url = new URL(services.redisUrl);
  url.username = 'reader';
  url.password = 'secret';
  const redis = openRedis(url.href, log);
  await until(() => redis.commands.status === 'ready');
  const health = await watchRedis(redis, log);
  try {
    expect(health.isUp()).toBe(false);
    expect(await redis.commands.ping()).toBe('PONG');

    await admin.commands.call('acl', 'setuser', 'reader', ...granted);

    await until(() => health.isUp());
  } finally {
    health.close();
    await redis.close();
    await admin.commands.call('acl', 'deluser', 'reader');
    await admin.close();
  }
});
