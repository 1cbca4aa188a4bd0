import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The folder of databases, keys and logs. */
export const dataFolder = (): string => resolve(process.env.DATA_DIR || '.data');

/** The folder of the services that `npm run services` starts, and `npm run dev` where they do not run. `npm start` has its own data. */
export const servicesFolder = (): string => join(dataFolder(), 'services');

/** The folder of programs that were downloaded or built once, for every clone. It is inside the fallback where the home folder is not writable. */
export function cacheFolder(fallback: string): string {
  const preferred = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'job-gateway');
  for (const folder of [preferred, join(fallback, 'cache')]) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
      if (isSafe(folder)) return folder;
    } catch {
      // The folder is not writable: the next one is tried.
    }
  }
  throw new Error(
    `Neither ${preferred} nor ${fallback} is a folder of this user that it can write to and others cannot. ` +
      'Set DATA_DIR to one that is.',
  );
}

const sticky = 0o1000;
const writableByAll = 0o002;

/**
 * Programs are run from this folder: no other user may own it, write to it, or replace it in its parent folder, as anyone could where
 * HOME is a temporary folder.
 */
function isSafe(folder: string): boolean {
  const uid = process.getuid?.();
  if (uid === undefined) return true;
  const real = realpathSync(folder);
  const [own, above] = [statSync(real), statSync(dirname(real))];
  const isAboveSafe =
    (above.uid === uid || above.uid === 0) && ((above.mode & writableByAll) === 0 || (above.mode & sticky) !== 0);
  return own.uid === uid && (own.mode & writableByAll) === 0 && isAboveSafe;
}
