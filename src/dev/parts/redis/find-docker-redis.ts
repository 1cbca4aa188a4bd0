import type { Say } from '../../say.ts';
import { sayWhileWaiting } from '../../say.ts';
import { findProgram } from '../find-program.ts';
import { runProgram } from '../run-program.ts';
import type { RedisProgram } from './find-redis.ts';

const image = 'redis:7-alpine';

/** Redis in a container, if an engine answers and has or gets the image. */
export async function findDockerRedis(say: Say): Promise<RedisProgram | { problem: string }> {
  const docker = findProgram(['docker']);
  if (!docker) return { problem: 'not installed' };
  if (!(await runProgram(docker, ['info'], { timeoutMs: 5_000 })).ok) return { problem: 'no engine answers' };
  if (!(await runProgram(docker, ['image', 'inspect', image], { timeoutMs: 10_000 })).ok) {
    const pull = () => runProgram(docker, ['pull', image], { timeoutMs: 300_000 });
    const { ok, output } = await sayWhileWaiting(say, `fetching ${image} with Docker`, pull);
    if (!ok) return { problem: output.split('\n').at(-1) ?? 'the image could not be fetched' };
  }
  return { from: `Docker, ${image}`, run: (port, settings) => inContainer(docker, port, settings) };
}

function inContainer(docker: string, port: number, settings: string[]): ReturnType<RedisProgram['run']> {
  const name = `job-gateway-redis-${port}`;
  const publish = ['--publish', `127.0.0.1:${port}:6379`];
  return {
    command: docker,
    // The client passes SIGTERM on to the container, and --rm removes it then.
    args: ['run', '--rm', '--name', name, ...publish, image, 'redis-server', '--protected-mode', 'no', ...settings],
    prepare: async () => {
      // A client that was killed leaves its container behind.
      await runProgram(docker, ['rm', '--force', name], { timeoutMs: 20_000 });
    },
  };
}
