import { ApplicationFailure } from '@temporalio/activity';
import { retryUntilAvailable } from '../../src/concurrency/retry-until-available.ts';
import { finishCall } from '../../src/db/calls/finish-call.ts';
import { estimateLostAttempt, insertInterruptedAttempts } from '../../src/db/calls/insert-attempts.ts';
import { markFirstToken } from '../../src/db/calls/mark-first-token.ts';
import { readCallResult } from '../../src/db/calls/read-call-result.ts';
import { type CallToExecute, startCall } from '../../src/db/calls/start-call.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { type CallStatus, callError } from '../../src/domain/call-state.ts';
import { hasToolCalls } from '../../src/domain/chat-message.ts';
import { countCall } from '../../src/metrics/metrics.ts';
import { emptyCompletion } from '../../src/upstream/answer/answer.ts';
import type { UpstreamError } from '../../src/upstream/upstream-error.ts';
import type { CallUpstreamResult } from '../../workflows/contract/activities.ts';
import { busy } from '../busy.ts';
import { settleWithCall } from '../jobs/settle-job.ts';
import type { ActivityDeps, WorkerAttempt } from '../ports.ts';
import { toCallResult, toFinishedCall } from './call-record.ts';
import { CallRequest } from './call-request.ts';
import { estimateOfLost, withEstimate } from './estimate-attempt.ts';
import { FramePublisher } from './frame-publisher.ts';
import { type ModelOutcome, tryModels } from './try-models.ts';
import { type Cutoff, watchCutoff } from './watch-cutoff.ts';

/** A call that is not recorded: it was retracted. Its client received that it will not be made, so it counts for nothing. */
export const retractedCall = { error: callError.retracted, retracted: true } as const;

/** A worker that is full of calls is so for as long as their models take. Twenty tries are ten minutes, as long as a model may be silent. */
const workerFull = {
  type: 'WorkerFull',
  message: 'the worker runs as many calls as it may',
  firstMs: 500,
  mostMs: 60_000,
} as const;

/** How a worker attempt starts. */
export interface AttemptStart {
  /** Undefined: there is no such call. */
  start(): Promise<CallToExecute | undefined>;
  /** Resolves when the attempt may show or record something of the answer. */
  beforeFirstEffect(): Promise<void>;
}

const startAtOnce = (deps: ActivityDeps, attempt: WorkerAttempt): AttemptStart => ({
  start: () => startAttempt(deps, attempt),
  beforeFirstEffect: async () => undefined,
});

export const startAttempt = ({ database }: ActivityDeps, { input, workerAttempt }: WorkerAttempt) =>
  retryUntilAvailable(() =>
    startCall(database, input.call_id, {
      workerAttempt,
      startsJob: input.starts_job ?? false,
      jobStartedAt: new Date(input.job_started_at),
    }),
  );

/**
 * One worker attempt at a call, from its start in the record to its published end. Rejects when another worker attempt has the call,
 * or is to have it, and before it has done anything when the worker runs as many calls as it may.
 */
export async function executeCall(
  deps: ActivityDeps,
  attempt: WorkerAttempt,
  how = startAtOnce(deps, attempt),
): Promise<CallUpstreamResult> {
  const leave = deps.measures.takeSlot('calls');
  if (!leave) throw busy(workerFull, attempt.workerAttempt);
  try {
    return await executeInSlot(deps, attempt, how);
  } finally {
    leave();
  }
}

async function executeInSlot(
  deps: ActivityDeps,
  attempt: WorkerAttempt,
  { start, beforeFirstEffect }: AttemptStart,
): Promise<CallUpstreamResult> {
  const { input, workerAttempt, workflowId } = attempt;
  const progress: Progress = { hasFirstToken: false };
  const cancelled = deps.cancellations.subscribe(workflowId);
  const aborted = AbortSignal.any([cancelled.signal, abortedUnlessShown(attempt.cancellation, progress)]);
  let cutoff: Cutoff | undefined;
  try {
    const call = await start();
    if (!call) return retractedCall;
    deps.deliveries.start(call.team_id, call.delivery_ids);
    if (!call.is_started) return await recordedResult(deps.database, call.call_id);
    const source = { callId: call.call_id, workerAttempt, streamed: call.streamed, asynchronous: call.asynchronous };
    const publisher = new FramePublisher(deps.callEvents, source);
    publisher.publishStarted();
    publishChanges(deps, call, 'running', input.starts_job ? 'in_progress' : undefined);
    const request = new CallRequest(deps, call);
    if (call.cutoff_in_ms !== null) cutoff = watchCutoff(deps.database, call.job_id, call.cutoff_in_ms);
    const stop = cutoff ? AbortSignal.any([aborted, cutoff.signal]) : aborted;
    const execution = { deps, call, request, workerAttempt, publisher, progress, stop, beforeFirstEffect };
    return await executeStartedCall(execution);
  } finally {
    cutoff?.close();
    cancelled.unsubscribe();
  }
}

/** An attempt whose call is running. */
interface Execution {
  deps: ActivityDeps;
  call: CallToExecute;
  request: CallRequest;
  workerAttempt: number;
  publisher: FramePublisher;
  progress: Progress;
  /** Aborts when the call is cancelled, through Redis or Temporal, when its deadline is over, or when it is handed over to another attempt. */
  stop: AbortSignal;
  beforeFirstEffect: AttemptStart['beforeFirstEffect'];
}

/**
 * Requests the answer, records it, settles a job that ends with the call, and publishes the end: in this order, so that every
 * receiver of the end finds it in the record.
 */
async function executeStartedCall(execution: Execution): Promise<CallUpstreamResult> {
  const { deps, call, publisher, stop } = execution;
  const startedAt = performance.now();
  const made = await requestAnswer(execution);
  const latencyMs = Math.round(performance.now() - startedAt);
  if (call.streamed && execution.request.keepsPieces) made.answer.message.order = publisher.pieces;
  await execution.beforeFirstEffect();
  const finished = toFinishedCall(call, execution.workerAttempt, made, latencyMs, execution.request.kept());
  // An answer is kept for a day in any case, because a repetition of its request receives it. Vectors are kept for minutes.
  if (finished.response !== null && !made.answer.message.embeddings)
    deps.storedBytes.add(call.team_id, Buffer.byteLength(finished.response));
  const recorded = await retryUntilAvailable(() => finishCall(deps.database, finished));
  if (recorded.superseded) return recordedResult(deps.database, call.call_id);
  countCall(deps.metrics, finished, call.streamed);
  publishChanges(deps, call, finished.status);
  const { error } = recorded;
  deps.deliveries.start(call.team_id, recorded.delivery_ids);
  const outcome = { ...made, error };
  // A job that was cancelled, or that has received another command, is settled by its workflow.
  const basis = stop.aborted ? null : recorded.basis;
  const job = basis ? await retryUntilAvailable(() => settleWithCall(deps, call.job_id, error, basis)) : undefined;
  const withJob = job && { job };
  await publisher.end({ ...toCallResult(call, outcome, latencyMs), ...withJob });
  return { error, ...(error === null && hasToolCalls(outcome.answer.message) && { has_tool_calls: true }), ...withJob };
}

/** Publishes the changes for open consoles. The end of the job is published where it is settled. */
function publishChanges(
  { changes }: ActivityDeps,
  { call_id, job_id, team_id }: Pick<CallToExecute, 'call_id' | 'job_id' | 'team_id'>,
  status: CallStatus,
  jobStatus?: 'in_progress',
): void {
  changes.publish('calls', { call_id, job_id, team_id, status });
  if (jobStatus) changes.publish('jobs', { job_id, team_id, status: jobStatus });
}

const superseded = () => ApplicationFailure.retryable('another attempt has this call', 'Superseded');

async function requestAnswer(execution: Execution): Promise<ModelOutcome> {
  const { deps, call, workerAttempt, publisher, progress, stop } = execution;
  // An earlier attempt has sent a token: no other may start over.
  if (call.has_first_token) return interruptedOutcome(execution);
  const outcome = await tryModels({
    upstream: deps.upstream,
    callId: call.call_id,
    modelPrice: deps.modelPrice,
    candidates: await execution.request.candidates(),
    request: execution.request,
    streamed: call.streamed,
    key: upstreamKey(deps, call),
    timeoutMs: deps.config.UPSTREAM_TIMEOUT_SECONDS * 1_000,
    maxMs: deps.config.UPSTREAM_MAX_SECONDS * 1_000,
    signal: stop,
    onFailure: (model, error) => logFailure(deps, call, model, error),
    restoreTeam: ({ failure }, requestedAt) =>
      deps.restoreTeam(call.team_id, failure === 'over_budget' ? 'over_budget' : 'unknown', requestedAt),
    async onDelta(delta) {
      if (!progress.hasFirstToken) {
        await execution.beforeFirstEffect();
        const isMarked = await retryUntilAvailable(() => markFirstToken(deps.database, call.call_id, workerAttempt));
        if (!isMarked) throw superseded();
      }
      progress.hasFirstToken = true;
      publisher.delta(delta);
    },
  });
  if (!outcome.error) return outcome;
  if (!isHandedOver(stop)) return withEstimate(execution, outcome);
  if (progress.hasFirstToken)
    return { ...(await withEstimate(execution, outcome)), error: callError.interrupted, failure: null };
  // No token was sent: another attempt starts over.
  const attempts = outcome.attempts.map((one) => (one.outcome === 'cancelled' ? { ...one, ...interrupted } : one));
  await retryUntilAvailable(() => insertInterruptedAttempts(deps.database, call.call_id, workerAttempt, attempts));
  throw stop.reason;
}

/** The outcome of a call whose worker was lost after it had sent a token, with the estimate of what that attempt took. */
async function interruptedOutcome(execution: Execution): Promise<ModelOutcome> {
  const { deps, call } = execution;
  const estimated = await estimateOfLost(execution, call.candidates[0]?.model ?? '');
  await retryUntilAvailable(() => estimateLostAttempt(deps.database, call.call_id, estimated));
  return {
    answer: emptyCompletion(),
    attempts: [],
    error: callError.interrupted,
    failure: null,
    estimatedCostUsd: estimated.estimated_cost_usd,
  };
}

/** One line for each request that failed, like the one for each request of a client: never text of the request or its answer. */
function logFailure({ log }: ActivityDeps, call: CallToExecute, model: string, error: UpstreamError): void {
  const { call_id, job_id, team_id } = call;
  const { failure, details } = error;
  log.warn({ call_id, job_id, team_id, model, failure, ...details }, `upstream: request failed: ${error.message}`);
}

function upstreamKey({ config, secrets }: ActivityDeps, call: CallToExecute): string {
  if (config.UPSTREAM_TEAM_KEYS === 'off' || !call.key_sealed) return config.UPSTREAM_MASTER_KEY;
  return secrets.open(call.key_sealed, call.team_id);
}

/** How far an attempt has come. */
interface Progress {
  /** The client has seen a token of this attempt. */
  hasFirstToken: boolean;
}

const reasonOf = ({ reason }: AbortSignal): string => (reason as Error).message;

/**
 * Aborts with `cancellation`. The worker's own heartbeat timeout is ignored once a token was sent: no other attempt may start
 * over, and the guards of the row let only one write the end.
 */
function abortedUnlessShown(cancellation: AbortSignal, progress: Progress): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!progress.hasFirstToken || reasonOf(cancellation) !== 'TIMED_OUT') controller.abort(cancellation.reason);
  };
  if (cancellation.aborted) abort();
  else cancellation.addEventListener('abort', abort, { once: true });
  return controller.signal;
}

/** The reasons to give the call to another attempt: this worker shuts down or missed heartbeats, or an operator requested it. */
const handoverReasons: readonly string[] = ['WORKER_SHUTDOWN', 'NOT_FOUND', 'TIMED_OUT', 'PAUSED', 'RESET'];

/** False also for a call that is cancelled. */
const isHandedOver = (stop: AbortSignal): boolean => stop.aborted && handoverReasons.includes(reasonOf(stop));

/** What is recorded of the request that was aborted when the call was handed over: no client cancelled it. */
const interrupted = { outcome: 'interrupted', error: 'the worker gave it up' } as const;

/** The result of a call that has ended without this attempt. */
async function recordedResult(database: Database, callId: string): Promise<CallUpstreamResult> {
  const result = await retryUntilAvailable(() => readCallResult(database, callId));
  // The call still runs: a later attempt of this activity has it, and Temporal ignores the result of this one.
  if (!result) throw superseded();
  if (result.status === 'retracted') return retractedCall;
  if (result.status !== 'succeeded') return { error: result.error };
  return { error: null, ...(result.hasToolCalls && { has_tool_calls: true }) };
}
