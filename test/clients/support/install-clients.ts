import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Print, printWhileRunning } from '../../../tools/dev/print.ts';
import { runProgram } from '../../../tools/dev/services/run-program.ts';
import { pythonEnvironment } from '../../support/python-environment.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);

/** From the lock file, which has a checksum for every package: decision 33. */
export async function installNodeClients(print: Print): Promise<void> {
  const complete = `${folder}/node_modules/complete-${digestOf(`${folder}/package-lock.json`)}`;
  if (existsSync(complete)) return;
  await printWhileRunning(print, 'installing the clients for Node.js', async () => {
    const { ok, output } = await runProgram('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: folder,
      timeoutMs: 600_000,
    });
    if (!ok) throw new Error(`npm ci in test/clients failed: ${output.split('\n').slice(-5).join('\n')}`);
    // npm may run no scripts of packages; without this one Claude Code has no program.
    const program = await runProgram(process.execPath, ['install.cjs'], {
      cwd: `${folder}/node_modules/@anthropic-ai/claude-code`,
      timeoutMs: 600_000,
    });
    if (!program.ok) throw new Error(`the installation of Claude Code failed: ${program.output}`);
    writeFileSync(complete, '');
  });
}

/** The folder of programs of an environment with the packages of requirements.txt, which has their checksums. */
export function installPythonClients(cache: string, print: Print): Promise<string> {
  const requirements = `${folder}/python/requirements.txt`;
  return pythonEnvironment(
    cache,
    `clients-${digestOf(requirements)}`,
    ['--require-hashes', '--requirement', requirements],
    print,
  );
}
