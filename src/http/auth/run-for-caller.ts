import type { Request } from 'express';
import { KeyChanged } from '../../calls/call-context.ts';
import { isKeyUnchanged } from '../../db/keys/find-team-by-key.ts';
import { Unavailable } from '../../errors.ts';
import type { Caller } from '../../services/caller.ts';
import type { Deps } from '../ports.ts';
import type { RouteSpec } from '../route.ts';
import { authenticate } from './authenticate.ts';
import { cachedCaller } from './key-cache.ts';
import { noteCaller } from './noted-caller.ts';

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
