import { execFileSync, spawnSync } from 'node:child_process';
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
 * The commits to try, best first: those with fewer migrations than today from new to old, then those with the same ones from old to
 * new. `commits` are from new to old. A commit with a migration that has another content today ends the search: it and those before
 * it cannot be upgraded.
 */
export function candidates(
  today: Migrations,
  commits: Iterable<{ commit: string; migrations: Migrations }>,
): PreviousCode[] {
  const older: PreviousCode[] = [];
  const same: PreviousCode[] = [];
  for (const { commit, migrations } of commits) {
    if ([...migrations].some(([name, hash]) => today.get(name) !== hash)) break;
    const newMigrations = [...today.keys()].filter((name) => !migrations.has(name)).sort();
    if (newMigrations.length > 0) older.push({ commit, newMigrations });
    else same.unshift({ commit, newMigrations });
  }
  return [...older, ...same];
}

function* mainLine() {
  for (const commit of git('log', '--first-parent', '--format=%H').split('\n'))
    yield { commit, migrations: migrationsOfCommit(commit) };
}

/** A merge that was repaired by the commit after it has modules that Node.js cannot load. */
function loads({ folder }: Checkout): boolean {
  const modules = ['src/http/app.ts', 'src/deps.ts', 'src/worker/run-worker.ts'].map((file) => join(folder, file));
  const script = `for (const file of ${JSON.stringify(modules)}) await import(file); process.exit()`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script]).status === 0;
}

/** The first of the candidates on the main line of this repository that can be loaded. Undefined: there is none, or no history. */
export function checkOutPrevious(): (PreviousCode & Checkout) | undefined {
  for (const candidate of isRepository() ? candidates(migrationsOfFiles(), mainLine()) : []) {
    const checkout = checkOut(candidate.commit);
    if (loads(checkout)) return { ...candidate, ...checkout };
    checkout.remove();
  }
  return undefined;
}

/** Not an archive of the sources. */
const isRepository = (): boolean =>
  spawnSync('git', ['rev-parse', '--verify', '--quiet', 'HEAD'], { cwd: root }).status === 0;

interface Checkout {
  folder: string;
  remove(): void;
}

/** The product's code of a commit in a folder of its own, with the packages of today. */
function checkOut(commit: string): Checkout {
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
