import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();

/** The commit before the one that last changed the schema. Undefined: there is no history, as in an archive of the sources. */
export function commitBeforeSchema(): string | undefined {
  try {
    if (git('status', '--porcelain', '--', 'migrations') !== '') return git('rev-parse', 'HEAD');
    return git('rev-parse', '--verify', '--quiet', `${git('log', '-1', '--format=%H', '--', 'migrations')}^`);
  } catch {
    return undefined;
  }
}

export interface Checkout {
  folder: string;
  remove(): void;
}

/** The product's code of a commit in a folder of its own, with the packages of today. */
export function checkOut(commit: string): Checkout {
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-previous-'));
  const archive = execFileSync(
    'git',
    ['archive', commit, 'src', 'workflows', 'activities', 'migrations', 'package.json', 'tsconfig.json'],
    {
      cwd: root,
      maxBuffer: 256 * 1_048_576,
    },
  );
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
