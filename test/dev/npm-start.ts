import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIdentity } from '../../tools/dev/processes/process-identity.ts';
import { waitUntil } from '../../tools/dev/processes/wait-until.ts';
import type { RunFile } from '../../tools/dev/supervisor.ts';

/** A running `npm start`, `npm run dev` or `npm run services`, as seen from outside. */
export type Start = {
  output: () => string;
  /** The current content of run.json. */
  run: () => RunFile;
  /** Sends SIGTERM, and resolves with the exit code. */
  end: () => Promise<number>;
};

export const nothingConfigured = { DATABASE_URL: '', REDIS_URL: '', TEMPORAL_ADDRESS: '', UPSTREAM_BASE_URL: '' };

/** `npm start` in the folder, on free ports, after its sample job. */
export const startEverything = (folder: string): Promise<Start> => startProgram('tools/dev/start.ts', folder);

/** Starts one of these programs, on free ports with its data in the folder, and waits until it has printed its addresses. */
export async function startProgram(file: string, folder: string): Promise<Start> {
  const program = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file], {
    env: { ...process.env, ...nothingConfigured, MASTER_KEY: '', DATA_DIR: folder, PORT: '0', npm_lifecycle_event: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const exited = once(program, 'exit');
  const done = () => printed.includes('Ctrl-C ends') || program.exitCode !== null;
  if (!(await waitUntil(done, { withinMs: 120_000 })) || program.exitCode !== null) {
    program.kill('SIGTERM');
    throw new Error(`It did not start:\n${printed}`);
  }
  return {
    output: () => printed,
    run: () => JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunFile,
    end: async () => {
      program.kill('SIGTERM');
      const [code] = (await exited) as [number];
      return code;
    },
  };
}

export const pidsOf = (run: RunFile): number[] => Object.values(run).map(({ pid }) => pid ?? 0);
export const isRunning = (pid: number): boolean => readIdentity(pid) !== undefined;
