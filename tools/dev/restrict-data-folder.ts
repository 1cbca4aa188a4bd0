import { chmodSync, type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Say } from './say.ts';

const sticky = 0o1000;

/** Has an owner of its own, and keeps its modes itself. */
const ofPostgres = 'postgres';

/**
 * Leaves a data folder and what is in it to its owner, also where an earlier start left it readable: it holds keys, passwords and
 * what the jobs of all teams are about. Root lets other accounts pass through it, as PostgreSQL runs as one of them.
 */
export function restrictDataFolder(folder: string, say: Say): void {
  try {
    if (isOnlyForData(folder)) chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (isData(entry.name)) restrict(folder, entry);
    }
  } catch (error) {
    say(`  ${folder} may be readable for others: ${(error as Error).message}`);
  }
}

/** Somebody may have set DATA_DIR to a folder that serves others too. */
function isOnlyForData(folder: string): boolean {
  const real = realpathSync(folder);
  return real !== homedir() && real !== dirname(real) && (statSync(real).mode & sticky) === 0;
}

/** What a start keeps there, by its names, `postgres` apart. */
const isData = (name: string): boolean =>
  name !== ofPostgres &&
  /^(logs|cache|run\.json|redis\.conf|supervisor\.json|processes\.|workflow-bundle|temporal\.db|[a-z-]+-password|([a-z]+-)?master-key)/.test(
    name,
  );

function restrict(folder: string, entry: Dirent): void {
  // A link's mode is that of what it leads to.
  if (!entry.isFile() && !entry.isDirectory()) return;
  const path = join(folder, entry.name);
  const { mode } = lstatSync(path);
  if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
  if (entry.isDirectory() && entry.name === 'logs') {
    for (const log of readdirSync(path, { withFileTypes: true })) restrict(path, log);
  }
}
