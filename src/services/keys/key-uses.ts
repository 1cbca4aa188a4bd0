import type { Database } from '../../db/connection/database.ts';
import { recordKeyUses } from '../../db/keys/record-key-uses.ts';
import type { Log } from '../../log.ts';

/** Records when each key was last used, apart from the requests that use it. `spec 25.6` */
export interface KeyUses {
  note(keyHashes: readonly Buffer[]): void;
  close(): Promise<void>;
}

const intervalMs = 30_000;
/** Of an interval. The rest is noted with a later use. */
const mostKeys = 10_000;

export function createKeyUses(database: Database, log: Log): KeyUses {
  /** By the hash. */
  let used = new Map<string, Buffer>();
  async function record(): Promise<void> {
    if (used.size === 0) return;
    const hashes = [...used.values()];
    used = new Map();
    await recordKeyUses(database, hashes).catch((error: unknown) =>
      log.warn({ err: error }, 'keys: uses not recorded'),
    );
  }
  const timer = setInterval(record, intervalMs).unref();
  return {
    note(keyHashes) {
      if (used.size < mostKeys) for (const hash of keyHashes) used.set(hash.toString('latin1'), hash);
    },
    async close() {
      clearInterval(timer);
      await record();
    },
  };
}
