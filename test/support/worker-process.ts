import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { statement } from '../../src/db/sql/statement.ts';
import type { Gateway } from './gateway.ts';
import { programArguments } from './program-arguments.ts';
import type { Json } from './send-request.ts';
import { until } from './until.ts';

export interface WorkerProcess {
  pid: number;
  /** The lines that it has logged so far. */
  lines: readonly Json[];
  /** Sends SIGKILL: no shutdown, as on a machine that loses its power. */
  kill(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Sends SIGTERM. Resolves with the exit code. */
  end(): Promise<number | null>;
}

const workersSql = statement('test_workers', 'select worker_id from workers');

/** A worker as a process of its own, so that it can be killed. Resolves when one worker more is recorded than before: one that was killed just now is still recorded. */
export async function startWorkerProcess(gateway: Gateway, settings: NodeJS.ProcessEnv = {}): Promise<WorkerProcess> {
  const workers = async () => (await gateway.deps.database.query(workersSql)).length;
  const before = await workers();
  const isUp = async () => (await workers()) > before && !gateway.deps.workerWatch.isUnavailable();
  const child = spawn(process.execPath, programArguments('src/worker.ts'), {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...gateway.environment,
      ...settings,
    },
    stdio: ['ignore', 'pipe', process.env.TEST_LOG_LEVEL ? 'inherit' : 'ignore'],
  });
  const ended = once(child, 'exit');
  const lines: Json[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => {
    // Temporal's core writes lines of its own form.
    if (line.startsWith('{"level"')) lines.push(JSON.parse(line));
  });
  await Promise.race([until(isUp, Boolean, 30_000), failure(child)]);
  return {
    pid: child.pid!,
    lines,
    signal: (name) => void child.kill(name),
    async end() {
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function failure(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`the worker ended with ${code}`);
}
