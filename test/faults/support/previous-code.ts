import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();

/** The migrations of a version by name, each with a hash of its file. */
type Migrations = ReadonlyMap<string, string>;

export interface PreviousCode {
  commit: string;
  /** Those that its database does not have yet. None: the schema has not changed since. */
  newMigrations: string[];
}

const isMigration = (name: string): boolean => /^\d{4}-/.test(name);

/** Those of the files as they are, committed or not. */
function migrationsOfFiles(): Migrations {
  const files = globSync('migrations/*.ts', { cwd: root }).filter((file) => isMigration(basename(file)));
  const hashes = git('hash-object', ...files).split('\n');
  return new Map(files.map((file, n) => [basename(file), hashes[n]!]));
}

/** A line of `git ls-tree`: mode, type, hash, a tab, name. */
const migrationsOfCommit = (commit: string): Migrations =>
  new Map(
    git('ls-tree', `${commit}:migrations`)
      .split('\n')
      .map((line): [string, string] => [line.split('\t')[1]!, line.split(/\s/)[2]!])
      .filter(([name]) => isMigration(name)),
  );

/**
 * The newest of the commits, which are from new to old, that has fewer migrations than today. Where there is none, the oldest with
 * the same ones. A commit with a migration that has another content today ends the search: it and those before it cannot be upgraded.
 */
export function choosePrevious(
  today: Migrations,
  commits: Iterable<{ commit: string; migrations: Migrations }>,
): PreviousCode | undefined {
  let chosen: PreviousCode | undefined;
  for (const { commit, migrations } of commits) {
    if ([...migrations].some(([name, hash]) => today.get(name) !== hash)) return chosen;
    const newMigrations = [...today.keys()].filter((name) => !migrations.has(name)).sort();
    chosen = { commit, newMigrations };
    if (newMigrations.length > 0) return chosen;
  }
  return chosen;
}

function* mainLine() {
  for (const commit of git('log', '--first-parent', '--format=%H').split('\n'))
    yield { commit, migrations: migrationsOfCommit(commit) };
}

/** Of the main line of this repository. Undefined: there is no history, as in an archive of the sources. */
export function findPreviousCode(): PreviousCode | undefined {
  try {
    return choosePrevious(migrationsOfFiles(), mainLine());
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
