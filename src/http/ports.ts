import type { TeamOfKey } from '../db/keys/find-team-by-key.ts';
import type { Drain } from '../liveness/drain.ts';
import type { ServiceDeps } from '../services/ports.ts';
import type { ChangeFeed } from './changes/change-feed.ts';
import type { CredentialWatch } from './changes/credential-watch.ts';

/** What a request may use. Built by `src/deps.ts`. */
export interface Deps extends ServiceDeps {
  drain: Drain;
  changeFeed: ChangeFeed;
  credentialWatch: CredentialWatch;
  keyCache: KeyCache;
}

/**
 * The team of each key as of its last look-up. It saves a call one round trip: the statement that admits the call verifies the
 * key. An optimisation: docs/optimisations/key-cache.md.
 */
export interface KeyCache {
  get(keyHash: Buffer): TeamOfKey | undefined;
  /** Undefined removes it. */
  store(keyHash: Buffer, team: TeamOfKey | undefined): void;
}
