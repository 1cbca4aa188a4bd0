import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Polling, poll } from '../../concurrency/poll.ts';

const defaultPauseMs = 5_000;

/** Undefined while one of them cannot be read, as in the middle of a replacement. */
function digestFiles(files: readonly string[]): string | undefined {
  const hash = createHash('sha256');
  try {
    for (const file of files) hash.update(readFileSync(file)).update('\n');
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}

/**
 * Calls `onChange` when the content of one of the files has changed, and again every few seconds while it rejects. Reads them,
 * because events of the file system do not arrive from every kind of mounted volume.
 */
export function watchFiles(
  files: readonly string[],
  onChange: () => Promise<unknown>,
  pauseMs = defaultPauseMs,
): Polling {
  let known = digestFiles(files);
  return poll(async () => {
    const digest = digestFiles(files);
    if (digest === undefined || digest === known) return;
    await onChange().then(
      () => {
        known = digest;
      },
      () => undefined,
    );
  }, pauseMs);
}
