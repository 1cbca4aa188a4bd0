import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findDockerRedis } from '../../tools/dev/services/redis/find-docker-redis.ts';
import { createWorkspace, removeWorkspaces } from './workspace.ts';

afterEach(removeWorkspaces);

/** Records the arguments of `docker run` and its standard input. */
const docker = (folder: string) => `#!/bin/sh
case "$1" in run) printf '%s\\n' "$@" >'${folder}/arguments'; cat >'${folder}/input' ;; esac`;

test('a Redis in a container gets its password by standard input and not by an argument of the client', async () => {
  const { folder } = createWorkspace();
  writeFileSync(join(folder, 'docker'), docker(folder));
  chmodSync(join(folder, 'docker'), 0o755);
  const before = process.env.PATH;
  process.env.PATH = [folder, before].join(delimiter);
  try {
    const found = await findDockerRedis(() => undefined);
    if (!('run' in found)) throw new Error(found.problem);
    const { command, args } = found.run(7_000, ['--save', '']);
    expect(spawnSync(command, args, { input: 'requirepass abc123\n' }).status).toBe(0);

    const given = readFileSync(join(folder, 'arguments'), 'utf8').split('\n');
    expect(given).toEqual(expect.arrayContaining(['--interactive', '--publish', '127.0.0.1:7000:6379']));
    expect(given.slice(given.indexOf('redis-server'))).toEqual(
      expect.arrayContaining(['redis-server', '-', '--save', '']),
    );
    expect([...args, ...given].join(' ')).not.toContain('abc123');
    expect(readFileSync(join(folder, 'input'), 'utf8')).toBe('requirepass abc123\n');
  } finally {
    process.env.PATH = before;
  }
});
