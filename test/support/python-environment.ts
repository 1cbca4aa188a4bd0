import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Print, printWhileRunning } from '../../tools/dev/print.ts';
import { findProgram, runProgram } from '../../tools/dev/services/run-program.ts';

/** The folder of programs of a Python environment in the cache. Creating it, once, takes a minute or two. */
export async function pythonEnvironment(
  cache: string,
  name: string,
  /** The arguments of `pip install`. */
  packages: string[],
  print: Print,
): Promise<string> {
  const folder = join(cache, name);
  const complete = join(folder, 'complete');
  if (!existsSync(complete)) {
    const python = findProgram(['python3']);
    if (!python) throw new Error(`${name} needs Python 3.10 or later: install python3 with its venv module.`);
    await printWhileRunning(print, `installing ${name}`, async () => {
      rmSync(folder, { recursive: true, force: true });
      await run(python, ['-m', 'venv', folder]);
      await run(join(folder, 'bin', 'pip'), ['install', '--quiet', ...packages]);
    });
    writeFileSync(complete, '');
  }
  return join(folder, 'bin');
}

async function run(command: string, args: string[]): Promise<void> {
  const { ok, output } = await runProgram(command, args, { timeoutMs: 900_000 });
  if (!ok) throw new Error(`"${[command, ...args].join(' ')}" failed: ${output.split('\n').slice(-5).join('\n')}`);
}
