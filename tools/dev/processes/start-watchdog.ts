import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Starts a watchdog: when this process dies, it ends every process in the record and removes the paths. Returns a function that
 * lets the watchdog go after an orderly end: it removes the paths then too.
 */
export function startWatchdog(recordFile: string, toRemove: string[]): () => Promise<void> {
  const program = fileURLToPath(new URL('./watchdog.ts', import.meta.url));
  const watchdog = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, recordFile, ...toRemove],
    {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  const gone = once(watchdog, 'exit');
  watchdog.unref();
  return async () => {
    watchdog.ref();
    watchdog.stdin.end();
    await gone;
  };
}
