import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../../../tools/dev/services/run-program.ts';

const bin = (name: string) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));

export interface Agent {
  /** Runs the agent once, without a terminal. Returns what it printed, and throws where it failed. */
  run(args: string[], variables?: Record<string, string>): Promise<string>;
  /** A file in the agent's home. */
  write(path: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** A program of an agent with a home and a folder of work of its own, so that it has nothing but what a test gives it. */
export async function openAgent(name: 'claude' | 'codex'): Promise<Agent> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const [home, work] = [join(folder, 'home'), join(folder, 'work')];
  await Promise.all([home, work].map((path) => mkdir(path)));
  return {
    async run(args, variables = {}) {
      const { ok, output } = await runProgram(bin(name), args, {
        cwd: work,
        env: { PATH: process.env.PATH, HOME: home, ...variables },
        input: '',
        timeoutMs: 90_000,
      });
      if (!ok) throw new Error(`${name} failed: ${output.slice(-2_000)}`);
      return output;
    },
    async write(path, text) {
      await mkdir(join(home, path, '..'), { recursive: true });
      await writeFile(join(home, path), text);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
