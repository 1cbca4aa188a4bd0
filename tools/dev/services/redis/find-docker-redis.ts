import { type Print, printWhileRunning } from '../../print.ts';
import { findProgram, runProgram } from '../run-program.ts';
import type { RedisProgram } from './redis-program.ts';

const image = 'redis:7.4.11-alpine';

/** Redis in a container, where a Docker engine is running that has the image or can pull it. */
export async function findDockerRedis(print: Print): Promise<RedisProgram | { problem: string }> {
  const docker = findProgram(['docker']);
  if (!docker) return { problem: 'not installed' };
  if (!(await runProgram(docker, ['info'], { timeoutMs: 5_000 })).ok) return { problem: 'no engine answers' };
  if (!(await runProgram(docker, ['image', 'inspect', image], { timeoutMs: 10_000 })).ok) {
    const pull = () => runProgram(docker, ['pull', image], { timeoutMs: 300_000 });
    const { ok, output } = await printWhileRunning(print, `fetching ${image} with Docker`, pull);
    if (!ok) return { problem: output.split('\n').at(-1) ?? 'the image could not be fetched' };
  }
  return {
    from: `Docker, ${image}`,
    run: (port, settings) => inContainer(docker, port, settings),
  };
}

function inContainer(docker: string, port: number, settings: string[]): ReturnType<RedisProgram['run']> {
  const name = `job-gateway-redis-${port}`;
  const run = ['run', '--rm', '--interactive', '--name', name, '--publish', `127.0.0.1:${port}:6379`, image];
  return {
    command: docker,
    // The client forwards SIGTERM to the container, and --rm then removes it.
    args: [...run, 'redis-server', '-', '--protected-mode', 'no', ...settings],
    prepare: async () => {
      // A client that was killed leaves its container running.
      await runProgram(docker, ['rm', '--force', name], { timeoutMs: 20_000 });
    },
  };
}
