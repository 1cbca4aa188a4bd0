import { sep } from 'node:path';
import type { FSWatcher } from 'vite';

/** An editor that saves all files, or a change of the branch, is one change. */
const quietMs = 100;

/**
 * Calls `handle` with the TypeScript files in these folders that have changed, one call at a time. `isOutdated` is true when more
 * have changed since.
 */
export function handleChanges(
  watcher: FSWatcher,
  folders: readonly string[],
  handle: (files: string[], isOutdated: () => boolean) => Promise<void>,
): void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isHandling = false;
  const handleAll = async () => {
    if (isHandling) return;
    isHandling = true;
    while (changed.size > 0) {
      const files = [...changed];
      changed.clear();
      await handle(files, () => changed.size > 0);
    }
    isHandling = false;
  };
  watcher.add([...folders]);
  watcher.on('all', (_event, file) => {
    if (!file.endsWith('.ts') || !folders.some((folder) => file.startsWith(folder + sep))) return;
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(handleAll, quietMs);
  });
}
