import type { TeamOfKey } from '../../db/keys/find-team-by-key.ts';

/**
 * What new calls have read of their keys within the last seconds. A call whose key is remembered reads it once instead of twice: in the
 * statement that admits it, which verifies it. Decision 141.
 */
export interface KeyMemory {
  find(keyHashes: readonly Buffer[]): TeamOfKey | undefined;
  store(keyHashes: readonly Buffer[], team: TeamOfKey): void;
  forget(keyHashes: readonly Buffer[]): void;
}

const defaults = {
  rememberMs: 10_000,
  /** Beyond so many the oldest is forgotten. */
  mostKeys: 10_000,
};

export function createKeyMemory(options: Partial<typeof defaults> = {}): KeyMemory {
  const { rememberMs, mostKeys } = { ...defaults, ...options };
  const remembered = new Map<string, { team: TeamOfKey; readAt: number }>();
  const nameOf = ([hash]: readonly Buffer[]) => hash!.toString('latin1');
  return {
    find(keyHashes) {
      const found = remembered.get(nameOf(keyHashes));
      return found && performance.now() - found.readAt < rememberMs ? found.team : undefined;
    },
    store(keyHashes, team) {
      const name = nameOf(keyHashes);
      remembered.delete(name);
      remembered.set(name, { team, readAt: performance.now() });
      if (remembered.size > mostKeys) remembered.delete(remembered.keys().next().value!);
    },
    forget: (keyHashes) => void remembered.delete(nameOf(keyHashes)),
  };
}
