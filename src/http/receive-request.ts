import { setImmediate } from 'node:timers/promises';
import type { Release } from '../concurrency/fair-semaphore.ts';
import type { Caller } from '../services/caller.ts';
import { holderOf } from '../services/holder-of.ts';
import { authenticate } from './auth/authenticate.ts';
import {
  bodyLimitOf,
  countBody,
  hasBody,
  isLarge,
  type ReceivedBody,
  receiveBody,
  unpackBody,
} from './body/receive-body.ts';
import type { Deps } from './ports.ts';
import type { IncomingRequest, RouteSpec } from './route.ts';
import { type ValidatedRequest, validateRequest } from './validation/validate-request.ts';

const longBodyBytes = 1_048_576;
const nothing = Buffer.alloc(0);
const noTurn = () => undefined;

export interface ReceivedRequest extends ValidatedRequest {
  /** Ends the holder's turn on the thread, which a body that is not small has waited for. */
  leaveThread: Release;
}

/** Receives one request. Its body is read once, also if the request starts again for another caller. */
export interface Receiver {
  /** The request of this caller, checked in the order of `spec 1.2`, within what its holder may have. */
  receive(caller: Caller): Promise<ReceivedRequest>;
  /** Nothing needs the body any more: its bytes do not count against those of its holder. */
  release(): void;
  /** For a refused request: counts a body that was not read, and throws 413 if it is too large. */
  countUnread(): Promise<void>;
}

export function createReceiver(deps: Deps, spec: RouteSpec, incoming: IncomingRequest): Receiver {
  const { request, ip, disconnected } = incoming;
  let arriving: Promise<ReceivedBody | undefined> | undefined;
  let body: ReceivedBody | undefined;

  function release(): void {
    body?.release();
    if (body) body.bytes = nothing;
  }

  function validate(caller: Caller): ValidatedRequest {
    const unpacked = body && unpackBody(request, bodyLimitOf(deps, spec), caller, body.bytes);
    return validateRequest({ deps, spec, caller, bytes: unpacked, release }, incoming);
  }

  /** Rights may have ended while the body was arriving. A key from the cache is verified by the call's own statement. */
  const authorizeAgain = async (caller: Caller): Promise<Caller> =>
    caller.kind === 'anonymous' || (caller.kind === 'team' && !caller.isVerified)
      ? caller
      : authenticate(deps, request, spec);

  return {
    async receive(caller) {
      const wasComplete = request.complete || !hasBody(request);
      // After authentication: a request without a credential must not make the process hold ten megabytes.
      arriving ??= receiveBody(deps, spec, caller, incoming);
      body = await arriving;
      const authorized = wasComplete ? caller : await authorizeAgain(caller);
      const leaveThread =
        body && isLarge(request, body.bytes)
          ? await deps.measures.thread.acquire(holderOf(authorized, ip), { signal: disconnected })
          : noTurn;
      try {
        const validated = validate(authorized);
        // What is made of a long body takes as long again: other requests come in between.
        if (body && body.bytes.length > longBodyBytes) await setImmediate();
        return { ...validated, leaveThread };
      } catch (error) {
        leaveThread();
        throw error;
      }
    },
    release,
    async countUnread() {
      if (!arriving) await countBody(request, bodyLimitOf(deps, spec));
    },
  };
}
