import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../tools/dev/parts/find-program.ts';
import { runProgram } from '../../tools/dev/parts/run-program.ts';
import { type Say, sayWhileWaiting } from '../../tools/dev/say.ts';

/** The folder of programs of a Python environment of its own in the cache; made once, in a minute or two. */
export async function pythonEnvironment(cache: string, name: string, packages: string[], say: Say): Promise<string> {
  const folder = join(cache, name);
  const complete = join(folder, 'complete');
  if (!existsSync(complete)) {
    const python = findProgram(['python3']);
    if (!python) throw new Error(`${name} needs Python 3.10 or later: install python3 with its venv module.`);
    await sayWhileWaiting(say, `installing ${packages.join(' and ')}`, async () => {
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
