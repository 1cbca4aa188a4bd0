import type { TeamOfKey } from '../../db/keys/find-team-by-key.ts';

/**
 * What new calls have read of their keys within the last seconds. A call whose key is in the cache reads it once instead of twice: in the
 * statement that admits it, which verifies it. Decision 141.
 */
export interface KeyCache {
  get(keyHashes: readonly Buffer[]): TeamOfKey | undefined;
  set(keyHashes: readonly Buffer[], team: TeamOfKey): void;
  delete(keyHashes: readonly Buffer[]): void;
}

const defaults = {
  keptMs: 10_000,
  /** Beyond so many the oldest is deleted. */
  mostKeys: 10_000,
};

export function createKeyCache(options: Partial<typeof defaults> = {}): KeyCache {
  const { keptMs, mostKeys } = { ...defaults, ...options };
  const cached = new Map<string, { team: TeamOfKey; readAt: number }>();
  const nameOf = ([hash]: readonly Buffer[]) => hash!.toString('latin1');
  return {
    get(keyHashes) {
      const found = cached.get(nameOf(keyHashes));
      return found && performance.now() - found.readAt < keptMs ? found.team : undefined;
    },
    set(keyHashes, team) {
      const name = nameOf(keyHashes);
      cached.delete(name);
      cached.set(name, { team, readAt: performance.now() });
      if (cached.size > mostKeys) cached.delete(cached.keys().next().value!);
    },
    delete: (keyHashes) => void cached.delete(nameOf(keyHashes)),
  };
}
