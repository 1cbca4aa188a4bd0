import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Runs one of the project's programs to its end, with nothing else in its environment. Rejects when it fails. */
export async function runProgram(program: string, environment: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const file = fileURLToPath(new URL(`../../${program}`, import.meta.url));
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', file, ...args],
    { env },
  );
  return stdout;
}
