import type { Request, Response } from 'express';
import { authenticate } from '../auth/authenticate.ts';
import type { Caller } from '../auth/caller.ts';
import { holderOf } from '../limits/quotas.ts';
import type { Deps } from '../ports.ts';
import type { RouteSpec } from '../route.ts';
import { type ReadRequest, readRequest } from '../validation/read-request.ts';
import { hasBody, isLarge, measureBody, type ReceivedBody, receiveBody, type Sender, unpackBody } from './read-body.ts';

/** A request whose headers are here. */
export interface Arriving {
  request: Request;
  response: Response;
  /** The client's address. */
  ip: string;
  /** Aborted when the client leaves. */
  gone: AbortSignal;
}

/** Receives one request. Its body is read once, also if the request is begun again for another caller. */
export interface Receiver {
  /** What the caller asks for, checked in the order that the interface promises, under the quotas of its sender. */
  receive(caller: Caller): Promise<ReadRequest>;
  /** For a request that is refused: counts a body that nobody has read, and throws 413 where it is too large. */
  measureUnread(): Promise<void>;
}

export function createReceiver(deps: Deps, spec: RouteSpec, arriving: Arriving): Receiver {
  const { request, response, ip, gone } = arriving;
  let body: Promise<ReceivedBody | undefined> | undefined;

  /** Large bodies of one sender are unpacked and checked one after the other. */
  async function read({ caller, holder }: Sender, received: ReceivedBody | undefined): Promise<ReadRequest> {
    const readNow = () => {
      const unpacked = received && unpackBody(request, spec, caller, received.bytes);
      return readRequest(deps, spec, caller, { ...arriving, body: unpacked });
    };
    if (!received || !isLarge(request, received.bytes)) return readNow();
    return deps.quotas.parsing.run(holder, async () => readNow(), { signal: gone });
  }

  /** Rights may have ended while the body was arriving. A key from the cache is verified by the call's own statement. */
  const authorizeAgain = async (caller: Caller): Promise<Caller> =>
    caller.kind === 'anonymous' || (caller.kind === 'team' && !caller.isVerified)
      ? caller
      : authenticate(deps, request, spec);

  return {
    async receive(caller) {
      const wasHere = request.complete || !hasBody(request);
      const sender = { caller, holder: holderOf(caller, ip), request, response, gone };
      // Only now: a request without a credential must not make the process hold ten megabytes.
      body ??= receiveBody(deps, spec, sender);
      const received = await body;
      try {
        return await read({ ...sender, caller: wasHere ? caller : await authorizeAgain(caller) }, received);
      } finally {
        received?.release();
      }
    },
    async measureUnread() {
      if (!body) await measureBody(request, spec);
    },
  };
}
