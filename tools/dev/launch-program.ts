import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Launch } from './processes/launch.ts';

export const project = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Settings that a process takes only at its start, beside `src/v8-flags.ts`; the image has the same. Two malloc arenas,
 * not eight for each core: memory that Temporal's core frees in one of its threads is then used by the next one.
 */
const smallHeap = '--max-semi-space-size=16';
const fewArenas = { MALLOC_ARENA_MAX: '2' };

/** One of the project's own programs, on the Node.js that runs this process. */
export const launchProgram = (
  name: string,
  program: string,
  env: NodeJS.ProcessEnv,
  ready: () => Promise<boolean>,
): Launch => ({
  name,
  command: process.execPath,
  args: [smallHeap, '--disable-warning=ExperimentalWarning', join(project, program)],
  env: { ...fewArenas, ...process.env, ...env },
  cwd: project,
  ready,
});
