import type { Request, Response } from 'express';
import type { Holder } from '../../holders/holder.ts';
import type { Caller } from '../../services/caller.ts';
import type { ReceivedBody } from '../body/receive-body.ts';
import { clientAddress } from '../client-address.ts';
import { disconnectSignal } from '../client-disconnect.ts';
import type { KeyedOperation } from '../idempotency/keyed-operation.ts';
import type { Deps } from '../ports.ts';
import type { Reply } from '../reply.ts';
import type { RequestContext, Route, RouteSpec } from '../route.ts';

/** One request, and what the steps have found out about it so far: each step reads what the steps before it have set. */
export interface Exchange {
  readonly deps: Deps;
  readonly spec: RouteSpec;
  readonly handle: Route['handle'];
  readonly request: Request;
  readonly response: Response;
  /** The client's address. */
  readonly ip: string;
  /** The signal aborts when the client disconnects. */
  readonly disconnected: AbortSignal;
  /** `authenticateCaller` sets it. Until then nobody is known. */
  caller: Caller;
  /** `authenticateCaller` sets it. */
  holder: Holder;
  /** `readBody` sets it, whatever becomes of the body. */
  receiving?: Promise<ReceivedBody | undefined>;
  /** `readBody` sets it. Undefined for a route that reads no body. */
  body?: ReceivedBody | undefined;
  /** `validateRequest` sets it. */
  context: RequestContext;
  /** `validateRequest` sets it: the body before validation, with its numbers as they were sent. */
  exactBody: unknown;
  /** `claimIdempotencyKey` sets it for a request with an Idempotency-Key. */
  keyed?: KeyedOperation;
  /** `execute` sets it, or `claimIdempotencyKey` for a repeated request. */
  reply?: Reply;
  /** Ends the turn on the thread that `validateRequest` has waited for. */
  leaveThread(): void;
  /** `release` is called when the request has its reply or is refused, with the error in that case. The last is called first. */
  onEnd(release: (error?: unknown) => void): void;
  end(error?: unknown): void;
}

/**
 * One step of a request. What it throws is the answer; after a step that has set `reply` no other is run. A call is executed twice if its
 * virtual key has changed meanwhile, and with it each step.
 */
export type Step = (exchange: Exchange) => void | Promise<void>;

export function openExchange(deps: Deps, { spec, handle }: Route, request: Request, response: Response): Exchange {
  const ip = clientAddress(request);
  const releases: ((error?: unknown) => void)[] = [];
  response.locals.guardsAccounts = spec.access.guardsAccounts;
  if (spec.secret) response.setHeader('Cache-Control', 'no-store');
  return {
    deps,
    spec,
    handle,
    request,
    response,
    ip,
    disconnected: disconnectSignal(response),
    caller: { kind: 'anonymous' },
    holder: undefined as never,
    context: undefined as never,
    exactBody: undefined,
    leaveThread: () => undefined,
    onEnd: (release) => void releases.push(release),
    end(error) {
      for (let release = releases.pop(); release; release = releases.pop()) release(error);
    },
  };
}
