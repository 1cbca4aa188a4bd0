import { join } from 'node:path';
import { project } from './launch-program.ts';
import { runProgram } from './parts/run-program.ts';

/** Runs one of the project's scripts to its end. Throws with what it printed when it fails. */
export async function runScript(script: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const command = ['--disable-warning=ExperimentalWarning', join(project, script), ...args];
  const options = { cwd: project, env: { ...process.env, ...env }, timeoutMs: 600_000 };
  const { ok, output } = await runProgram(process.execPath, command, options);
  if (!ok) throw new Error(`${script} failed:\n${output}`);
}
