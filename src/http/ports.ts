import type { Drain } from '../liveness/drain.ts';
import type { ServiceDeps } from '../services/ports.ts';
import type { ChangeFeed } from './changes/change-feed.ts';
import type { CredentialWatch } from './changes/credential-watch.ts';

/** What a request may use. Built by `src/deps.ts`. */
export interface Deps extends ServiceDeps {
  drain: Drain;
  changeFeed: ChangeFeed;
  credentialWatch: CredentialWatch;
}
