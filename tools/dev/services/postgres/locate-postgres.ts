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
import { reachableBinaries, sharedFolder } from './shared-folder.ts';
import { canReach, type User, unprivilegedUser } from './unprivileged-user.ts';

/** The location of PostgreSQL: its programs, its folder, and its account if that is not this process's. */
export type PostgresLocation = { binaries: string; folder: string; user?: User };

/**
 * PostgreSQL's folder is in the data folder. Where this process is root and PostgreSQL's account cannot reach the data folder (a clone
 * in a home folder that is closed to others), it is elsewhere, with a link in the data folder: a new data folder has new data then too.
 */
export function locatePostgres(dataFolder: string): PostgresLocation {
  const link = join(dataFolder, 'postgres');
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() && !existsSync(link)) rmSync(link);
  const standard = unprivilegedUser();
  const user = standard && existsSync(link) ? readOwner(link, standard) : standard;
  if (!existsSync(link)) createFolder(link, dataFolder, user);
  return { binaries: reachableBinaries(user), folder: realpathSync(link), user };
}

/** PostgreSQL has to own its data: where data exists, its owner is the account. */
function readOwner(folder: string, standard: User): User {
  const { uid, gid } = statSync(folder);
  return uid === standard.uid || uid === 0 ? standard : { name: `user ${uid}`, uid, gid };
}

function createFolder(link: string, dataFolder: string, user: User | undefined): void {
  if (!user || canReach(user, '-x', dataFolder)) {
    mkdirSync(link, { mode: 0o700 });
    if (user) chownSync(link, user.uid, user.gid);
    return;
  }
  const elsewhere = mkdtempSync(join(sharedFolder(user), 'postgres-'));
  chownSync(elsewhere, user.uid, user.gid);
  symlinkSync(elsewhere, link);
}
