import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Starts a watchdog: when this process dies, it ends every process in the record and removes the paths. Returns a function that ends
 * the watchdog after a regular shutdown; the watchdog then removes the paths too.
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
  const exited = once(watchdog, 'exit');
  watchdog.unref();
  return async () => {
    watchdog.ref();
    watchdog.stdin.end();
    await exited;
  };
}
