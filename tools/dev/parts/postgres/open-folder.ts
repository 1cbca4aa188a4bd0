import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgresBinaries } from './find-binaries.ts';
import { canReach, type User } from './unprivileged-user.ts';

/** The first is kept over a restart and open on all usual systems; the temporary folder is the last resort. */
const candidates = () => ['/var/lib/job-gateway', join(tmpdir(), 'job-gateway'), '/tmp/job-gateway'];

/** A folder of ours that another account can enter, for when the data folder or the clone is closed to it. */
export function openFolder(user: User): string {
  const found = candidates().find((folder) => makeOwn(folder) && canReach(user, '-x', folder));
  if (found) return found;
  throw new Error(
    `PostgreSQL refuses root, and "${user.name}", as whom it runs instead, can reach none of ${candidates().join(', ')}. ` +
      'Set DATA_DIR to a folder that every account can reach, or DATABASE_URL to a PostgreSQL of your own.',
  );
}

/**
 * A folder that we own and that nobody else can write to: programs are run from here, and in a temporary folder any user could
 * have put them there. A link is refused too, because its owner can lead it elsewhere later.
 */
export function makeOwn(folder: string): boolean {
  try {
    // Fails where anything is, a link too: only a folder that was made here is opened.
    mkdirSync(folder);
    chmodSync(folder, 0o755);
  } catch {
    // It is there already, or cannot be.
  }
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
}

/** The installed programs, or one copy of them (60 MB) where the other account can run them. */
export function reachableBinaries(user: User | undefined): string {
  const installed = findPostgresBinaries();
  if (!user) return installed;
  const share = join(installed, 'share', 'postgresql', 'postgres.bki');
  if (canReach(user, '-x', join(installed, 'bin', 'initdb')) && canReach(user, '-r', share)) return installed;
  const { version } = JSON.parse(readFileSync(join(installed, '..', 'package.json'), 'utf8')) as { version: string };
  const copy = join(openFolder(user), `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  const draft = mkdtempSync(`${copy}-`);
  cpSync(installed, draft, { recursive: true, verbatimSymlinks: true });
  openToAll(draft);
  renameSync(draft, copy);
  return copy;
}

function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, entry.isDirectory() || statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}
