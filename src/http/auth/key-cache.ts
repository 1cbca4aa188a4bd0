import type { Request } from 'express';
import type { TeamOfKey } from '../../db/keys/find-team-by-key.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { TeamCaller } from '../../services/caller.ts';
import type { Deps, KeyCache } from '../ports.ts';
import type { RouteSpec } from '../route.ts';
import { keyHashesOf, readCredential } from './authenticate.ts';
import { teamCaller } from './team-caller.ts';

/** With `KEY_CACHE=off`. */
export const noKeyCache: KeyCache = { get: () => undefined, store: () => undefined };

/** More keys than one process receives in a minute. */
const defaultSize = 10_000;

export function createKeyCache({ keyCache }: Pick<Metrics, 'keyCache'>, size = defaultSize): KeyCache {
  const teams = new Map<string, TeamOfKey>();
  const nameOf = (keyHash: Buffer) => keyHash.toString('latin1');
  /** Makes the key the newest. The oldest, which was unused for the longest, is removed if there are too many. */
  const put = (name: string, team: TeamOfKey | undefined) => {
    teams.delete(name);
    if (team) teams.set(name, team);
    if (teams.size > size) teams.delete(teams.keys().next().value!);
  };
  return {
    get(keyHash) {
      const name = nameOf(keyHash);
      const team = teams.get(name);
      if (team) put(name, team);
      keyCache.inc({ outcome: team ? 'hit' : 'miss' });
      return team;
    },
    store: (keyHash, team) => put(nameOf(keyHash), team),
  };
}

/** The caller of a call, unverified, if the team of its key is in the cache. */
export function cachedCaller(deps: Deps, spec: RouteSpec, request: Request): TeamCaller | undefined {
  // A repeated request may find a stored answer, which a key that has ended must not get.
  if (!spec.makesCall || request.headers['idempotency-key'] !== undefined) return undefined;
  const credential = readCredential(request, spec.access.audience);
  const keyHashes = credential.kind === 'bearer' ? keyHashesOf(deps, credential.token) : undefined;
  const team = keyHashes && deps.keyCache.get(keyHashes[0]!);
  return team && teamCaller(keyHashes, team, { isVerified: false });
}
