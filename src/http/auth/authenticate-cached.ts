import type { Request } from 'express';
import { KeyChanged } from '../../calls/call-context.ts';
import { keyHolds } from '../../db/keys/find-team-by-key.ts';
import { Unavailable } from '../../errors.ts';
import type { Deps } from '../ports.ts';
import type { RouteSpec } from '../route.ts';
import { authenticate, keyHashOf, readCredential, teamCaller } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { noteCaller } from './caller.ts';

/**
 * The caller by a key that was looked up for an earlier request: saves a round trip, where the route's own statement proves the
 * key again. Undefined: look it up.
 */
function recognize(deps: Deps, spec: RouteSpec, request: Request): Caller | undefined {
  // A repeated request may find a kept answer, which an ended key must not get.
  if (!spec.makesCall || request.headers['idempotency-key'] !== undefined) return undefined;
  const credential = readCredential(request, spec.auth);
  const keyHash = credential.kind === 'bearer' ? keyHashOf(deps, credential.token) : undefined;
  const team = keyHash && deps.keyCache.get(keyHash);
  return team && teamCaller(keyHash, team, { isVerified: false });
}

/** Whether the remembered key is no longer what it was, so that the outcome must be discarded and the request begun again. */
async function keyHasChanged(deps: Deps, caller: Caller, outcome: unknown): Promise<boolean> {
  if (outcome instanceof KeyChanged) return true;
  // An outage tells nothing of the team, and the same wait again would find out no more.
  if (outcome instanceof Unavailable) return false;
  if (caller.kind !== 'team' || caller.isVerified) return false;
  return !(await keyHolds(deps.database, caller.teamId, caller.key));
}

/**
 * Works for the caller that the remembered key stood for; if the key has changed since, once more for the caller it stands for
 * now. `docs/decisions/0023-a-call-proves-its-key-itself.md`.
 */
export async function onBehalf<T>(
  deps: Deps,
  spec: RouteSpec,
  request: Request,
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const caller = recognize(deps, spec, request) ?? (await authenticate(deps, request, spec));
  noteCaller(request, caller);
  try {
    return await work(caller);
  } catch (error) {
    if (!(await keyHasChanged(deps, caller, error))) throw error;
    return work(await authenticate(deps, request, spec));
  }
}
