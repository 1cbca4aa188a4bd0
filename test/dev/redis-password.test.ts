import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { cacheFolder } from '../../tools/dev/folders.ts';
import { startUntilReady } from '../../tools/dev/processes/start-until-ready.ts';
import { findRedis } from '../../tools/dev/services/redis/find-redis.ts';
import { launchRedis } from '../../tools/dev/services/redis/launch-redis.ts';
import { createWorkspace, removeWorkspaces } from './workspace.ts';

afterEach(removeWorkspaces);

test.each(['gateway [1]', 'a*b', 'a?b', 'a{b,c}', 'a "b"', "a 'b'", 'a#b', 'a\nb', 'a\\b', 'ä ü'])(
  'Redis with its data in %j requires its password from the first moment',
  async (name) => {
    const workspace = createWorkspace();
    const folder = join(workspace.folder, name);
    mkdirSync(folder);
    const program = await findRedis(cacheFolder(workspace.folder), () => undefined);

    const { launch } = await startUntilReady(() => launchRedis(program, folder), workspace);

    const { hostname, port } = new URL(launch.url);
    const stranger = new Redis(Number(port), hostname, { enableReadyCheck: false });
    stranger.on('error', () => undefined);
    try {
      await expect(stranger.ping()).rejects.toThrow('NOAUTH');
    } finally {
      stranger.disconnect();
    }
  },
);
