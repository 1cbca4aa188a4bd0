import { connect } from 'node:net';
import { join } from 'node:path';
import { readOrCreateSecret, writeAtomically } from '../../files.ts';
import type { Launch } from '../../processes/start-process.ts';
import { freePort } from '../free-port.ts';
import type { RedisProgram } from './redis-program.ts';

export type RedisLaunch = Launch & { url: string };

/**
 * Starts Redis without persistence: it carries tokens, notifications and limits, and its loss loses no record. It reads its
 * password from its standard input: every local user can read the arguments of a process, and Redis takes the path of a file for a
 * pattern, which may match nothing.
 */
export async function launchRedis(program: RedisProgram, folder: string): Promise<RedisLaunch> {
  const password = readOrCreateSecret(join(folder, 'redis-password'));
  const port = await freePort();
  const url = `redis://:${password}@127.0.0.1:${port}`;
  const settings = ['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction', '--daemonize', 'no'];
  const secrets = join(folder, 'redis.conf');
  writeAtomically(secrets, `requirepass ${password}\n`);
  return {
    name: 'redis',
    ...program.run(port, settings),
    cwd: folder,
    input: secrets,
    ready: () => answersPing(url),
    url,
  };
}

export const answersPing = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname: host, port, password } = new URL(url);
    const commands = `AUTH ${password}\r\nPING\r\n`;
    const socket = connect({ port: Number(port), host, timeout: 1_000 }, () => socket.write(commands));
    let answer = '';
    const settle = (isReady: boolean) => {
      socket.destroy();
      resolve(isReady);
    };
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
      if (answer.split('\r\n').length > 2) settle(answer === '+OK\r\n+PONG\r\n');
    });
    socket
      .once('error', () => settle(false))
      .once('timeout', () => settle(false))
      .once('close', () => settle(false));
  });
