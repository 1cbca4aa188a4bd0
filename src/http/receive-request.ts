import type { Holder } from '../holders/holder.ts';
import { authenticate } from './auth/authenticate.ts';
import type { Caller } from './auth/caller.ts';
import {
  bodyLimitOf,
  countBody,
  hasBody,
  isLarge,
  type ReceivedBody,
  receiveBody,
  unpackBody,
} from './body/receive-body.ts';
import { holderOf } from './limits/holder-of.ts';
import type { Deps } from './ports.ts';
import type { IncomingRequest, RouteSpec } from './route.ts';
import { type ValidatedRequest, validateRequest } from './validation/validate-request.ts';

/** Receives one request. Its body is read once, also if the request starts again for another caller. */
export interface Receiver {
  /** The request of this caller, checked in the order of `spec 1.2`, within what its holder may have. */
  receive(caller: Caller): Promise<ValidatedRequest>;
  /** For a refused request: counts a body that was not read, and throws 413 if it is too large. */
  countUnread(): Promise<void>;
}

export function createReceiver(deps: Deps, spec: RouteSpec, incoming: IncomingRequest): Receiver {
  const { request, ip, disconnected } = incoming;
  let body: Promise<ReceivedBody | undefined> | undefined;

  /** Large bodies of one holder are unpacked and checked one after the other. */
  async function validate(
    caller: Caller,
    holder: Holder,
    received: ReceivedBody | undefined,
  ): Promise<ValidatedRequest> {
    const validateNow = () => {
      const unpacked = received && unpackBody(request, bodyLimitOf(deps, spec), caller, received.bytes);
      return validateRequest(deps, spec, caller, incoming, unpacked);
    };
    if (!received || !isLarge(request, received.bytes)) return validateNow();
    return deps.measures.thread.run(holder, async () => validateNow(), { signal: disconnected });
  }

  /** Rights may have ended while the body was arriving. A key from the cache is verified by the call's own statement. */
  const authorizeAgain = async (caller: Caller): Promise<Caller> =>
    caller.kind === 'anonymous' || (caller.kind === 'team' && !caller.isVerified)
      ? caller
      : authenticate(deps, request, spec);

  return {
    async receive(caller) {
      const wasComplete = request.complete || !hasBody(request);
      const holder = holderOf(caller, ip);
      // After authentication: a request without a credential must not make the process hold ten megabytes.
      body ??= receiveBody(deps, spec, caller, incoming);
      const received = await body;
      try {
        return await validate(wasComplete ? caller : await authorizeAgain(caller), holder, received);
      } finally {
        received?.release();
      }
    },
    async countUnread() {
      if (!body) await countBody(request, bodyLimitOf(deps, spec));
    },
  };
}
