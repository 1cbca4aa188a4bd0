import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../src/dev/parts/find-program.ts';
import { runProgram } from '../../src/dev/parts/run-program.ts';
import { type Say, sayWhileWaiting } from '../../src/dev/say.ts';

/** Pinned: what is compared with it, down to the words of its errors, is this version's. */
export const litellmVersion = '1.106.2';

/** Without a database too LiteLLM needs its client: it answers 500 for a missing key where it cannot import it. */
const prisma = 'prisma==0.15.0';

/** The `litellm` program in an environment of its own in the cache; made once, in a minute or two. */
export async function installLitellm(cache: string, say: Say): Promise<string> {
  const folder = join(cache, `litellm-${litellmVersion}`);
  const complete = join(folder, 'complete');
  if (!existsSync(complete)) {
    const python = findProgram(['python3']);
    if (!python) throw new Error('LiteLLM needs Python 3.10 or later: install python3 with its venv module.');
    await sayWhileWaiting(say, `installing LiteLLM ${litellmVersion}`, async () => {
      rmSync(folder, { recursive: true, force: true });
      await run(python, ['-m', 'venv', folder]);
      await run(join(folder, 'bin', 'pip'), ['install', '--quiet', `litellm[proxy]==${litellmVersion}`, prisma]);
    });
    writeFileSync(complete, '');
  }
  return join(folder, 'bin', 'litellm');
}

async function run(command: string, args: string[]): Promise<void> {
  const { ok, output } = await runProgram(command, args, { timeoutMs: 900_000 });
  if (!ok) throw new Error(`"${[command, ...args].join(' ')}" failed: ${output.split('\n').slice(-5).join('\n')}`);
}
