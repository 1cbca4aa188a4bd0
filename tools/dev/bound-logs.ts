import { copyFileSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

const limitBytes = 20 * 1024 * 1024;

/**
 * Keeps every log and one before it under a limit, now and once a minute. Copied and cut rather than renamed: the processes
 * hold the file itself open, and append.
 */
export function boundLogs(folder: string): void {
  cutLogs(folder);
  setInterval(() => cutLogs(folder), 60_000).unref();
}

function cutLogs(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.log'))) {
    const file = join(folder, name);
    if (statSync(file).size <= limitBytes) continue;
    copyFileSync(file, `${file}.1`);
    truncateSync(file);
  }
}
