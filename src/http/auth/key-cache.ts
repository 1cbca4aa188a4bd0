import type { Request } from 'express';
import { KeyChanged } from '../../calls/call-context.ts';
import { isKeyUnchanged, type TeamOfKey } from '../../db/keys/find-team-by-key.ts';
import { Unavailable } from '../../errors.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Deps, KeyCache } from '../ports.ts';
import type { RouteSpec } from '../route.ts';
import { authenticate, keyHashesOf, readCredential } from './authenticate.ts';
import { type Caller, noteCaller, type TeamCaller, teamCaller } from './caller.ts';

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
function cachedCaller(deps: Deps, spec: RouteSpec, request: Request): TeamCaller | undefined {
  // A repeated request may find a stored answer, which a key that has ended must not get.
  if (!spec.makesCall || request.headers['idempotency-key'] !== undefined) return undefined;
  const credential = readCredential(request, spec.auth);
  const keyHashes = credential.kind === 'bearer' ? keyHashesOf(deps, credential.token) : undefined;
  const team = keyHashes && deps.keyCache.get(keyHashes[0]!);
  return team && teamCaller(keyHashes, team, { isVerified: false });
}

/** Whether the key is no longer what it was when its team was identified, so that the outcome must be discarded. */
async function keyHasChanged(deps: Deps, caller: Caller, outcome: unknown): Promise<boolean> {
  if (outcome instanceof KeyChanged) return true;
  // An outage is no evidence of a change, and a second statement would wait as long.
  if (outcome instanceof Unavailable) return false;
  if (caller.kind !== 'team' || caller.isVerified) return false;
  return !(await isKeyUnchanged(deps.database, caller.teamId, caller.key));
}

/** Executes a request for its caller; once more if the caller's key has changed since it was identified, for the caller it has now. */
export async function runForCaller<T>(
  deps: Deps,
  spec: RouteSpec,
  request: Request,
  execute: (caller: Caller) => Promise<T>,
): Promise<T> {
  const cached = cachedCaller(deps, spec, request);
  const caller = cached ?? (await authenticate(deps, request, spec));
  noteCaller(request, caller);
  try {
    return await execute(caller);
  } catch (error) {
    if (!(await keyHasChanged(deps, caller, error))) throw error;
    if (cached) deps.metrics.keyCache.inc({ outcome: 'stale' });
    return execute(await authenticate(deps, request, spec));
  }
}
