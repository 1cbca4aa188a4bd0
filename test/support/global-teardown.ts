import type { JestConfig, LeftByRun } from './global-setup.ts';

/** While Jest watches, the services stay for its next run. They end with its process. */
export async function teardown({ watch, watchAll }: Pick<JestConfig, 'watch' | 'watchAll'> = {}): Promise<void> {
  const left = globalThis as LeftByRun;
  await left.dropTemplate?.();
  if (!watch && !watchAll) await left.services?.stop();
}

export { teardown as default };
