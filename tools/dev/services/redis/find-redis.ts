import { join } from 'node:path';
import type { Print } from '../../print.ts';
import { ownEnvironment } from '../own-environment.ts';
import { findProgram } from '../run-program.ts';
import { findDockerRedis } from './find-docker-redis.ts';
import type { RedisProgram } from './redis-program.ts';
import { findUnpackedRedis, unpackRedis } from './unpack-redis.ts';

const names = ['redis-server', 'valkey-server'];
const usualFolders = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/** Tries the fastest source first and downloads last. The final error has the reason of each source that failed. */
export async function findRedis(cacheFolder: string, print: Print): Promise<RedisProgram> {
  const installed = findProgram(names, usualFolders);
  if (installed) return nativeRedis(installed);
  const unpacked = await findUnpackedRedis(join(cacheFolder, 'redis'));
  if (unpacked) return nativeRedis(unpacked.program, unpacked.env);
  const docker = await findDockerRedis(print);
  if ('run' in docker) return docker;
  const fetched = await unpackRedis(join(cacheFolder, 'redis'), print);
  if ('program' in fetched) return nativeRedis(fetched.program, fetched.env);
  throw new Error(
    'There is no Redis here, and none could be fetched.\n' +
      `  on PATH: neither ${names.join(' nor ')}\n  Docker: ${docker.problem}\n  system package: ${fetched.problem}\n` +
      'Install one ("apt-get install redis-server", "dnf install valkey", "brew install redis"), or set REDIS_URL.',
  );
}

function nativeRedis(program: string, env?: NodeJS.ProcessEnv): RedisProgram {
  return {
    from: program,
    run: (port, settings) => ({
      command: program,
      args: ['-', '--port', String(port), '--bind', '127.0.0.1', ...settings],
      env: { ...ownEnvironment('/'), ...libraries(), ...env },
    }),
  };
}

/** An installed server may need the shell's paths of libraries. */
const libraries = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(LD|DYLD)_LIBRARY_PATH$/.test(name)));
