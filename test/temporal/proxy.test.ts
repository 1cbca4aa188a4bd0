import { loadConfig } from '../../src/config.ts';
import { openTemporal } from '../../src/temporal/connection/client.ts';
import { services } from '../support/services.ts';

test('a proxy in the environment, for the web, is not for Temporal', async () => {
  const config = loadConfig({
    MASTER_KEY: 'm'.repeat(32),
    DATABASE_URL: services.adminDatabaseUrl,
    REDIS_URL: services.redisUrl,
    TEMPORAL_ADDRESS: services.temporalAddress,
    UPSTREAM_BASE_URL: 'http://127.0.0.1:1',
  });
  process.env.http_proxy = 'http://127.0.0.1:1';
  process.env.https_proxy = 'http://127.0.0.1:1';
  const temporal = openTemporal(config);

  const answers = await temporal.isReachable(2_000);

  delete process.env.http_proxy;
  delete process.env.https_proxy;
  await temporal.close();
  expect(answers).toBe(true);
});
