import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { openFolder, reachableBinaries } from './open-folder.ts';
import { canReach, type User, unprivilegedUser } from './unprivileged-user.ts';

/** Where PostgreSQL runs: its programs, its own folder, and its account if that is not ours. */
export type PostgresPlace = { binaries: string; folder: string; user?: User };

/**
 * Inside the data folder. If we are root and PostgreSQL's account cannot get there (a clone under a closed home), the folder
 * lies elsewhere and a link in the data folder leads to it, so that a new data folder begins with new data too.
 */
export function placePostgres(dataFolder: string): PostgresPlace {
  const link = join(dataFolder, 'postgres');
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() && !existsSync(link)) rmSync(link);
  const standard = unprivilegedUser();
  const user = standard && existsSync(link) ? ownerOf(link, standard) : standard;
  if (!existsSync(link)) makeFolder(link, dataFolder, user);
  return { binaries: reachableBinaries(user), folder: realpathSync(link), user };
}

/** PostgreSQL insists on owning its data: the owner of existing data decides. */
function ownerOf(folder: string, standard: User): User {
  const { uid, gid } = statSync(folder);
  return uid === standard.uid || uid === 0 ? standard : { name: `user ${uid}`, uid, gid };
}

function makeFolder(link: string, dataFolder: string, user: User | undefined): void {
  if (!user || canReach(user, '-x', dataFolder)) {
    mkdirSync(link, { mode: 0o700 });
    if (user) chownSync(link, user.uid, user.gid);
    return;
  }
  const elsewhere = mkdtempSync(join(openFolder(user), 'postgres-'));
  chownSync(elsewhere, user.uid, user.gid);
  symlinkSync(elsewhere, link);
}
