import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Ends everything in the record when this process dies; returns the way to let it go after an orderly end. */
export function startWatchdog(recordFile: string, folderToRemove?: string): () => Promise<void> {
  const program = fileURLToPath(new URL('./watchdog.ts', import.meta.url));
  const args = [
    '--disable-warning=ExperimentalWarning',
    program,
    recordFile,
    ...(folderToRemove ? [folderToRemove] : []),
  ];
  const watchdog = spawn(process.execPath, args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' });
  const gone = once(watchdog, 'exit');
  watchdog.unref();
  return async () => {
    watchdog.ref();
    watchdog.stdin.end();
    await gone;
  };
}
