import type { Drain } from '../health/drain.ts';
import type { ChangeFeed } from '../services/changes/change-feed.ts';
import type { CredentialWatch } from '../services/changes/credential-watch.ts';
import type { KeyCache } from '../services/keys/key-cache.ts';
import type { ServiceDeps } from '../services/ports.ts';
import type { Tracing } from '../tracing/tracing.ts';

/** What a request may use. Built by `src/deps.ts`. */
export interface Deps extends ServiceDeps {
  drain: Drain;
  keyCache: KeyCache;
  /** Undefined: there are no traces. */
  tracing: Tracing | undefined;
  changeFeed: ChangeFeed;
  credentialWatch: CredentialWatch;
}
