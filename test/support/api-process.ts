import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Gateway } from './gateway.ts';
import { programArguments } from './program-arguments.ts';
import type { Json } from './send-request.ts';
import { until } from './until.ts';

export interface ApiProcess {
  url: string;
  pid: number;
  /** The lines that it has logged so far. */
  lines: readonly Json[];
  end(): Promise<void>;
  /** Kills the process without any chance to say goodbye. */
  kill(): Promise<void>;
}

/** An api as a process of its own, on a free port. Resolves when it listens. */
export async function startApiProcess(gateway: Gateway, settings: NodeJS.ProcessEnv = {}): Promise<ApiProcess> {
  const child = spawn(process.execPath, programArguments('src/api.ts'), {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...gateway.environment,
      LOG_LEVEL: 'info',
      PORT: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines: Json[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => lines.push(JSON.parse(line)));
  const listening = () => lines.find(({ msg }) => msg === 'api: listening');
  const failed = ended.then(([code]) => Promise.reject(new Error(`the api ended with ${code}`)));
  await Promise.race([until(async () => listening() !== undefined, Boolean, 30_000), failed]);
  failed.catch(() => undefined);
  return {
    url: listening().url,
    pid: child.pid!,
    lines,
    async end() {
      child.kill('SIGTERM');
      await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
