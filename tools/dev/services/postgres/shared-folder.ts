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

/** The first one survives a reboot and is accessible on all usual systems; the temporary folders come last. */
const candidates = () => ['/var/lib/job-gateway', join(tmpdir(), 'job-gateway'), '/tmp/job-gateway'];

/** A folder of this user that another account can enter, for when the data folder or the clone is closed to it. */
export function sharedFolder(user: User): string {
  const found = candidates().find((folder) => createOwnFolder(folder) && canReach(user, '-x', folder));
  if (found) return found;
  throw new Error(
    `PostgreSQL refuses root, and "${user.name}", as whom it runs instead, can reach none of ${candidates().join(', ')}. ` +
      'Set DATA_DIR to a folder that every account can reach, or DATABASE_URL to a PostgreSQL of your own.',
  );
}

/**
 * Whether the folder, which is created if missing, belongs to this user and is writable by no other: programs are run from it, and any
 * user could have put them into a temporary folder. A link is refused, because its owner can change its target later.
 */
export function createOwnFolder(folder: string): boolean {
  try {
    // Fails where anything of that name exists, a link too: only a folder that was created here gets the open mode.
    mkdirSync(folder);
    chmodSync(folder, 0o755);
  } catch {
    // The folder exists already, or cannot be created.
  }
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
}

/** The installed programs, or a copy of them (60 MB) that the other account can run. */
export function reachableBinaries(user: User | undefined): string {
  const installed = findPostgresBinaries();
  if (!user) return installed;
  const share = join(installed, 'share', 'postgresql', 'postgres.bki');
  if (canReach(user, '-x', join(installed, 'bin', 'initdb')) && canReach(user, '-r', share)) return installed;
  const { version } = JSON.parse(readFileSync(join(installed, '..', 'package.json'), 'utf8')) as { version: string };
  const copy = join(sharedFolder(user), `postgresql-${version}`);
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
