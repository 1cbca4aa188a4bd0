import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The folder of the user's jobs, keys and logs. */
export const dataFolder = (): string => resolve(process.env.DATA_DIR || '.data');

/** The folder of what was fetched or built once and serves every clone; inside the fallback if the home folder cannot be written to. */
export function cacheFolder(fallback: string): string {
  const preferred = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'job-gateway');
  for (const folder of [preferred, join(fallback, 'cache')]) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
      if (isOurs(folder)) return folder;
    } catch {
      // Not writable: try the next one.
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
 * Programs are run from it: nobody else may own it or write to it, nor exchange it in the folder that it is in, as anybody could
 * where HOME is a temporary folder.
 */
function isOurs(folder: string): boolean {
  const uid = process.getuid?.();
  if (uid === undefined) return true;
  const real = realpathSync(folder);
  const [own, above] = [statSync(real), statSync(dirname(real))];
  const isAboveSafe =
    (above.uid === uid || above.uid === 0) && ((above.mode & writableByAll) === 0 || (above.mode & sticky) !== 0);
  return own.uid === uid && (own.mode & writableByAll) === 0 && isAboveSafe;
}
