import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { cacheFolder } from '../../../tools/dev/folders.ts';
import { openProcessGroup } from '../../../tools/dev/processes/process-group.ts';
import { findRedis } from '../../../tools/dev/services/redis/find-redis.ts';
import { launchRedis } from '../../../tools/dev/services/redis/launch-redis.ts';
import { services } from '../../support/services.ts';

/** An empty Redis with the password of the run's Redis, as a killed one is after its restart. */
export async function startOwnRedis(): Promise<{ url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-faults-'));
  const group = openProcessGroup(folder);
  const program = await findRedis(cacheFolder(folder), () => undefined);
  const { url } = await group.start(() => launchRedis(program, folder));
  const { password } = new URL(services.redisUrl);
  const redis = new Redis(url);
  await redis.config('SET', 'requirepass', decodeURIComponent(password));
  redis.disconnect();
  const withPassword = new URL(url);
  withPassword.password = password;
  return { url: withPassword.href, close: group.end };
}
