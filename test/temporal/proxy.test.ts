import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { openTemporal } from '../../src/temporal/connection/open-temporal.ts';
import { services } from '../support/services.ts';

test('the connection to Temporal ignores a web proxy in the environment', async () => {
  const config = loadConfig({
    MASTER_KEY: 'a-platform-key-of-32-characters!',
    DATABASE_URL: services.adminDatabaseUrl,
    REDIS_URL: services.redisUrl,
    TEMPORAL_ADDRESS: services.temporalAddress,
    UPSTREAM_BASE_URL: 'http://127.0.0.1:1',
  });
  process.env.http_proxy = 'http://127.0.0.1:1';
  process.env.https_proxy = 'http://127.0.0.1:1';
  const temporal = openTemporal(config, createLog('silent', 'test'));

  const isReachable = await temporal.isReachable(2_000);

  delete process.env.http_proxy;
  delete process.env.https_proxy;
  await temporal.close();
  expect(isReachable).toBe(true);
});
