import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folder of the user's jobs, keys and logs. */
export const dataFolder = (): string => resolve(process.env.DATA_DIR || '.data');

/** The folder of what was fetched or built once and serves every clone; inside the fallback if the home folder cannot be written to. */
export function cacheFolder(fallback: string): string {
  const preferred = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'job-gateway');
  for (const folder of [preferred, join(fallback, 'cache')]) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
      return folder;
    } catch {
      // Not writable: try the next one.
    }
  }
  throw new Error(`Neither ${preferred} nor ${fallback} can be written to. Set DATA_DIR to a folder that can.`);
}
