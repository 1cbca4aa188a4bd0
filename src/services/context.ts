import type { IdempotentOperation } from '../db/idempotency/idempotency-keys.ts';
import type { TraceContext } from '../domain/trace-context.ts';
import type { Holder } from '../holders/holder.ts';
import type { Caller } from './caller.ts';
import type { ServiceDeps } from './ports.ts';

/**
 * Who wants a use case, and for which request: all that a use case knows of the transport. A use case is a function of this context
 * and of its input.
 */
export interface ServiceContext {
  deps: ServiceDeps;
  caller: Caller;
  /** Who holds what the request takes of this process: the caller, or without a credential its network. */
  holder: Holder;
  /** The client's address, for the audit log and for limits. */
  ip: string;
  userAgent: string | undefined;
  requestId: string;
  /** The span of the request. Undefined: there are no traces. */
  traceContext: TraceContext | undefined;
  /** Returns the same id for the same name when the same request is executed again: `spec 10.1`. */
  newId(name: string): string;
  /** The operation of the request's Idempotency-Key: a repetition of the request has the same outcome. */
  operation: IdempotentOperation | undefined;
  /** The signal aborts when the client disconnects. */
  disconnected: AbortSignal;
  /** A signal that is aborted when the client closes its sending side, which is almost always a disconnect: `spec 5.8`. */
  halfClosed(): AbortSignal;
}
