import { connect } from 'node:net';
import type { Launch } from '../../processes/launch.ts';
import { freePort } from '../free-port.ts';
import type { RedisProgram } from './find-redis.ts';

export type RedisLaunch = Launch & { url: string };

/** Nothing is kept on disk: Redis carries tokens, wake-ups and limits, and losing it loses nothing. */
export async function launchRedis(program: RedisProgram, folder: string): Promise<RedisLaunch> {
  const port = await freePort();
  const settings = ['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction', '--daemonize', 'no'];
  return {
    name: 'redis',
    ...program.run(port, settings),
    cwd: folder,
    ready: () => answersPing(port),
    url: `redis://127.0.0.1:${port}`,
  };
}

const answersPing = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 }, () => socket.write('PING\r\n'));
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', (data) => settle(data.toString().startsWith('+PONG')));
    socket
      .once('error', () => settle(false))
      .once('timeout', () => settle(false))
      .once('close', () => settle(false));
  });
