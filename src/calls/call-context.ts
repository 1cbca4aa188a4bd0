import type { ClientRequest } from '../db/calls/admit-call-to-job.ts';
import type { CallSettings } from '../db/entities/team.ts';
import type { IdempotentOperation } from '../db/idempotency/idempotency-keys.ts';
import type { JobBudgetView } from '../db/jobs/job-budget.ts';
import type { PresentedKey } from '../db/keys/find-team-by-key.ts';
import type { TraceContext } from '../domain/trace-context.ts';
import { type TeamLimits, Unavailable } from '../errors.ts';
import type { CallDeps } from './ports.ts';

/** The team that makes a call. */
export interface CallingTeam {
  teamId: string;
  organizationId: string;
  settings: CallSettings;
  /** The key that the team was identified by. The statement that admits the call checks it again, and the settings too. */
  key: Pick<PresentedKey, 'hashes'> & {
    /** Null for the team's first key. */
    id: string | null;
  };
}

/** A call that is recorded. */
export interface Admitted {
  jobId: string;
  callId: string;
  /** The fields of the client beyond the known ones that go upstream. */
  extraFields: readonly string[];
  /** The fields that the model does not permit, whether the client sent them or not. */
  blockedFields: readonly string[];
  /** What remains of the budget of its job. Null: it has none. */
  budget: JobBudgetView | null;
}

/** The team for which a call is made, and what its surface is notified of. Each surface makes one for a request. */
export interface CallContext {
  deps: CallDeps;
  team: CallingTeam;
  /** Returns the same id for the same name when the same request is executed again. */
  newId(name: string): string;
  /** The operation of the request's Idempotency-Key, if it has one: a call that is retracted frees its key. */
  operation: IdempotentOperation | undefined;
  /** The `X-Request-Id` of the request. */
  requestId: string;
  /** The span of the request. Undefined: there are no traces. */
  traceContext: TraceContext | undefined;
  /** The same for equal requests, where a repetition may receive the call. `spec 18.7` */
  fingerprint?: Buffer;
  /** The call is recorded. `spec 4.8` */
  onAdmitted(admitted: Admitted): void;
  /** The record has the request, and this process needs it no more: a long one is not to be held while the model answers. */
  onRequestStored(): void;
  /** Receives the state of the team's two limits. `spec 9.3` */
  onLimit(states: TeamLimits): void;
}

/** What is requested of a model, in whatever form the client sent it. */
export interface ModelRequest {
  /** A model alias or a model group. */
  model: string;
  /** The body for the upstream, without `model` and the fields of streaming: JSON text. Empty once it is stored: `dropRequest`. */
  body: string;
  /** The estimated tokens of the prompt. */
  promptTokens: number;
  /** The same as a budget reserves them. `spec 23.6` */
  promptTokensToReserve: number;
  /** The most tokens that the answer may have; 0 where the client sets no limit. */
  maxTokens: number;
  /** No more tokens of the answer count for the limit of a minute. Absent: `maxTokens` do. */
  mostCountedOfAnswer?: number;
  purpose: string | null;
  metadata: Record<string, unknown> | null;
  /** The answer has vectors, and no tokens of its own. */
  isForEmbeddings?: true;
  /** The JSON text of `CallOptions`. Undefined: the defaults. */
  options?: string;
  /** The request in the form of the client, if a later request may name the call. It is stored with the call. */
  clientRequest?: ClientRequest;
}

/** Drops the texts of a request that is in the record. */
export function dropRequest({ onRequestStored }: Pick<CallContext, 'onRequestStored'>, request: ModelRequest): void {
  request.body = '';
  delete request.options;
  delete request.clientRequest;
  onRequestStored();
}

/** The key has changed since its team was identified. The request is executed again from its authentication on. */
export class VirtualKeyChanged extends Unavailable {
  constructor() {
    super('key');
    this.name = 'VirtualKeyChanged';
  }
}
