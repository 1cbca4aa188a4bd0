import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../../../tools/dev/services/run-program.ts';

const path = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));
const bin = (name: string) => [path(`node_modules/.bin/${name}`)] as const;

const commands = {
  claude: bin('claude'),
  codex: bin('codex'),
  // The package for all platforms cannot be locked where a registry lacks one of them.
  opencode: [path('node_modules/opencode-linux-x64/bin/opencode')],
  'claude-agent-sdk': [process.execPath, path('node/claude-agent-sdk.mjs')],
} satisfies Record<string, readonly [string, ...string[]]>;
export type Program = keyof typeof commands;

export interface Agent {
  /** Runs the agent once, without a terminal. Returns what it printed, and throws where it failed. */
  run(args: string[], variables?: Record<string, string>): Promise<string>;
  home: string;
  /** Writes a file in the agent's home. */
  write(file: string, text: string): Promise<void>;
  read(file: string): Promise<string>;
  close(): Promise<void>;
}

/** A program of an agent with a home and a folder of work of its own, so that it has nothing but what a test gives it. */
export async function openAgent(name: Program): Promise<Agent> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const [home, work] = [join(folder, 'home'), join(folder, 'work')];
  await Promise.all([home, work].map((made) => mkdir(made)));
  const [command, ...first] = commands[name];
  return {
    home,
    async run(args, variables = {}) {
      const { ok, output } = await runProgram(command, [...first, ...args], {
        cwd: work,
        env: { PATH: process.env.PATH, HOME: home, ...variables },
        input: '',
        timeoutMs: 90_000,
      });
      if (!ok) throw new Error(`${name} failed: ${output.slice(-2_000)}`);
      return output;
    },
    async write(file, text) {
      await mkdir(join(home, file, '..'), { recursive: true });
      await writeFile(join(home, file), text);
    },
    read: (file) => readFile(join(home, file), 'utf8'),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
