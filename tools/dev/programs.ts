import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Launch } from './processes/start-process.ts';
import { runProgram } from './services/run-program.ts';

export const project = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Settings that a process reads at its start only, beside `src/v8-flags.ts`; the image has the same. Two malloc arenas instead of
 * eight for each core: memory that one thread of Temporal's core has freed is then used by the next thread.
 */
const smallHeap = '--max-semi-space-size=16';
const fewArenas = { MALLOC_ARENA_MAX: '2' };

/**
 * The arguments of Node.js for one of the project's programs, or for one of another checkout. Programs that import `src/v8-flags.ts` have a compile cache of their own by
 * the flag: V8 rejects what was compiled with other flags, and processes with and without them would replace each other's entries.
 */
export const argumentsFor = (program: string, code: string = project): string[] => [
  smallHeap,
  '--disable-warning=ExperimentalWarning',
  join(code, program),
];

/** How to start one of the project's programs, on the Node.js of this process. */
export const launchProgram = (
  name: string,
  program: string,
  env: NodeJS.ProcessEnv,
  ready: () => Promise<boolean>,
): Launch => ({
  name,
  command: process.execPath,
  args: argumentsFor(program),
  env: { ...fewArenas, ...process.env, ...env },
  cwd: project,
  ready,
});

/** Runs one of the project's scripts to its end. Throws with its output when it fails. */
export async function runScript(script: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const command = ['--disable-warning=ExperimentalWarning', join(project, script), ...args];
  const options = { cwd: project, env: { ...process.env, ...env }, timeoutMs: 600_000 };
  const { ok, output } = await runProgram(process.execPath, command, options);
  if (!ok) throw new Error(`${script} failed:\n${output}`);
}

/** The bundle of the workflows, built again when a source has changed: with it a worker restarts 1.3 s faster. */
export async function bundleWorkflows(folder: string): Promise<string> {
  const file = join(folder, `workflow-bundle-${hashSources()}.js`);
  if (existsSync(file)) return file;
  for (const old of globSync('workflow-bundle-*', { cwd: folder })) rmSync(join(folder, old), { force: true });
  await runScript('scripts/bundle-workflows.ts', [file]);
  return file;
}

/** The console, built again when a source has changed: about three seconds. */
export const buildConsole = (): Promise<void> => runScript('scripts/build-console.ts', ['--if-changed']);

/** Workflows import nothing of the gateway but `src/domain`: `test/architecture/import-rules.ts`. */
const bundled = [
  'package-lock.json',
  'scripts/bundle-workflows.ts',
  'src/worker/workflow-sources.ts',
  '{workflows,src/domain}/**/*.ts',
];

function hashSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(bundled, { cwd: project }).sort())
    hash.update(file).update(readFileSync(join(project, file)));
  return hash.digest('hex').slice(0, 16);
}
