import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = fileURLToPath(new URL('../../', import.meta.url));
const document = readFileSync(join(project, 'docs/operations.md'), 'utf8');

/** The commands of a section of docs/operations.md, block by block. */
export function readCommands(section: string): string[] {
  const [, after = ''] = document.split(`\n## ${section}\n`);
  const [text = ''] = after.split('\n## ');
  return [...text.matchAll(/^ *```bash\n([\s\S]*?)^ *```$/gm)].map(([, commands]) => commands!);
}

/** Executes commands as an operator does, in the folder of the project. Returns what they print. */
export async function executeCommands(commands: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const env = {
    HOME: process.env.HOME,
    // The options are those of the image.
    NODE_OPTIONS: '--disable-warning=ExperimentalWarning --max-semi-space-size=16',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    ...environment,
    PATH: [environment.PATH, dirname(process.execPath), process.env.PATH].filter(Boolean).join(':'),
  };
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-euc', commands], { cwd: project, env });
  return stdout;
}
