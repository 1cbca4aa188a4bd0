import { ApplicationFailure, activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { type BegunCall, beginCall } from '../src/db/queries/begin-call.ts';
import { closeCall } from '../src/db/queries/close-call.ts';
import { type FinishedCall, finishCall } from '../src/db/queries/finish-call.ts';
import { keepAttempts } from '../src/db/queries/keep-attempts.ts';
import { markShown } from '../src/db/queries/mark-shown.ts';
import { readCallEnd } from '../src/db/queries/read-call-end.ts';
import { callError } from '../src/domain/calls.ts';
import { type CallEnd, isWithdrawn } from '../src/domain/frames.ts';
import { isUuid } from '../src/domain/ids.ts';
import type { JobResult } from '../src/domain/job.ts';
import { sumOf } from '../src/domain/pricing.ts';
import { countCall } from '../src/metrics.ts';
import type { NextSignal } from '../src/redis/next-signals.ts';
import { noAnswer } from '../src/upstream/ask-model.ts';
import { askCandidates, type Outcome } from './ask-candidates.ts';
import type { ActivityDeps } from './deps.ts';
import { FramePublisher } from './frame-publisher.ts';
import { cutShort, givenUpOrCancelled, isGivenUp, type Progress } from './given-up.ts';
import { patiently } from './patiently.ts';
import { settleWithCall } from './settle.ts';

export interface CallUpstreamInput {
  call_id: string;
  /** No call of the job came before. Absent: not known. */
  starts_job?: boolean;
  /** Milliseconds since the epoch; used only for the first call of a job. */
  job_started_at: number;
  /** The job ends with this call: no signal comes after it. */
  ends_job?: boolean;
}

export interface CloseCallInput {
  call_id: string;
  status: 'refused' | 'failed';
  error: string;
  /**
   * Milliseconds since the epoch. Given for a call that its job had admitted: if no worker began it, it begins here before it
   * ends, and its job with it.
   */
  job_started_at?: number;
}

export interface CallUpstreamResult {
  /** Null: it succeeded. */
  error: string | null;
  /** The call was withdrawn before a worker began it, and its client was told so. */
  withdrawn?: boolean;
  /** The end of the job, if the job was settled together with the call. */
  job?: JobResult;
}

/**
 * Two fit into the heartbeat timeout. While Redis is away, a cancellation arrives with the answer to a heartbeat. Each
 * heartbeat costs the server a write: at one a second, those of 200 streams took a tenth of a small machine.
 */
const heartbeatMs = 4_000;

export const createCallActivities = (deps: ActivityDeps) => ({
  /**
   * One LLM call: asks the upstream, streams its answer, writes the record, publishes the end. Idempotent by `call_id` and the
   * guards on its row: an attempt after the one that finished the call does nothing, and an attempt after one that has shown a
   * token only ends the call. Retried by Temporal only when its worker was lost or an operator asks for it.
   */
  async callUpstream({
    call_id,
    starts_job,
    job_started_at,
    ends_job,
  }: CallUpstreamInput): Promise<CallUpstreamResult> {
    // A signal from an operator may carry any text as the id, and PostgreSQL would refuse the query.
    if (!isUuid(call_id)) return { error: noSuchCall };
    const { attempt, workflowExecution } = activityInfo();
    const beating = setInterval(heartbeat, heartbeatMs);
    const told = deps.cancellations.hear(workflowExecution!.workflowId);
    let next: NextSignal | undefined;
    const progress: Progress = { shown: false };
    const stop = AbortSignal.any([told.signal, givenUpOrCancelled(cancellationSignal(), progress)]);
    // The heartbeat timeout runs from when the server gave out the attempt, perhaps to a worker that was frozen since.
    if (attempt > 1) heartbeat();
    try {
      const beginning = { attempt, startsJob: starts_job ?? false, jobStartedAt: new Date(job_started_at) };
      const call = await patiently(() => beginCall(deps.database, call_id, beginning));
      if (!call) throw ApplicationFailure.nonRetryable(noSuchCall, 'CallNotFound');
      deps.deliveries.start(call.delivery_ids);
      if (!call.begun) return endOf(await patiently(() => readCallEnd(deps.database, call_id)));
      const publisher = new FramePublisher(deps.frames, { callId: call_id, attempt, streamed: call.streamed });
      publisher.begun();
      const carriedOut = carryOut({ deps, call, attempt, publisher, progress, stop });
      // Last, because the request to the upstream is on its way by now.
      if (!ends_job) next = deps.nextSignals.expect(workflowExecution!.workflowId);
      const result = await carriedOut;
      if (!stop.aborted) await next?.wait(stop);
      return result;
    } finally {
      clearInterval(beating);
      told.leave();
      next?.leave();
    }
  },

  /** Ends a call that no attempt will end, and tells the clients waiting for it. Idempotent: an ended call stays as it is. */
  async closeCall({ call_id, status, error, job_started_at }: CloseCallInput): Promise<void> {
    if (!isUuid(call_id)) return;
    if (job_started_at !== undefined) {
      const beginning = { attempt: 1, startsJob: true, jobStartedAt: new Date(job_started_at) };
      const call = await beginCall(deps.database, call_id, beginning);
      deps.deliveries.start(call?.delivery_ids ?? []);
    }
    const closed = await closeCall(deps.database, call_id, status, error);
    if (!closed) return;
    deps.metrics.calls.inc({ outcome: status, streamed: String(closed.streamed) });
    const publisher = new FramePublisher(deps.frames, {
      callId: call_id,
      attempt: closed.worker_attempt + 1,
      streamed: true,
    });
    await publisher.end({ status, error });
  },
});

const noSuchCall = 'there is no such call';

const superseded = () => ApplicationFailure.retryable('another attempt has this call', 'Superseded');

const endOf = (end: CallEnd | undefined): CallUpstreamResult => {
  // The call still runs: a later attempt of this activity has it, and Temporal ignores this one's result.
  if (!end) throw superseded();
  return { error: end.status === 'succeeded' ? null : end.error, ...(isWithdrawn(end) && { withdrawn: true }) };
};

const interrupted = (): Outcome => ({ answer: noAnswer(), attempts: [], error: callError.interrupted });

interface Work {
  deps: ActivityDeps;
  call: BegunCall;
  /** Temporal's count. */
  attempt: number;
  publisher: FramePublisher;
  progress: Progress;
  /** Aborts when the call is cancelled, by the first of Redis and Temporal to say so, or given up. */
  stop: AbortSignal;
}

async function ask({ deps, call, attempt, publisher, progress, stop }: Work): Promise<Outcome> {
  if (call.shown) return interrupted();
  const { call_id, streamed, candidates } = call;
  const outcome = await askCandidates({
    upstream: deps.upstream,
    modelPrice: deps.modelPrice,
    candidates,
    request: JSON.parse(call.request ?? '{}') as Record<string, unknown>,
    streamed,
    key: upstreamKey(deps, call),
    timeoutMs: deps.config.UPSTREAM_TIMEOUT_SECONDS * 1_000,
    signal: stop,
    async onDelta(delta) {
      if (!progress.shown && !(await patiently(() => markShown(deps.database, call_id, attempt)))) throw superseded();
      progress.shown = true;
      publisher.delta(delta);
    },
  });
  if (!outcome.error || !isGivenUp(stop)) return outcome;
  // No token was shown: another attempt starts over.
  if (!progress.shown) {
    await patiently(() => keepAttempts(deps.database, call_id, attempt, cutShort(outcome.attempts)));
    throw stop.reason;
  }
  return { ...outcome, error: callError.interrupted };
}

function upstreamKey(deps: ActivityDeps, call: BegunCall): string {
  if (deps.config.UPSTREAM_TEAM_KEYS === 'off' || !call.key_sealed) return deps.config.UPSTREAM_MASTER_KEY;
  return deps.secrets.open(call.key_sealed, call.team_id);
}

/** What is recorded of the attempt that ends the call. */
function recordOf({ call, attempt }: Work, { answer, attempts, error }: Outcome, latencyMs: number): FinishedCall {
  return {
    call_id: call.call_id,
    worker_attempt: attempt,
    status: error === null ? 'succeeded' : 'failed',
    model_used: answer.modelUsed ?? null,
    prompt_tokens: answer.usage.promptTokens,
    completion_tokens: answer.usage.completionTokens,
    total_tokens: answer.usage.totalTokens,
    cost_usd: sumOf(attempts.map((one) => one.cost_usd)),
    latency_ms: latencyMs,
    finish_reason: error === null ? (answer.finishReason ?? 'stop') : null,
    error,
    attempts,
    response: answer.message.content || answer.message.toolCalls ? JSON.stringify(answer.message) : null,
  };
}

/** The published end; the reader of a stream has the message already. */
function lastWord({ call }: Work, { answer, error }: Outcome, latencyMs: number): CallEnd {
  const { usage, message } = answer;
  if (error !== null) return { status: 'failed', error, usage };
  const finishReason = answer.finishReason ?? 'stop';
  return { status: 'succeeded', finishReason, usage, latencyMs, ...(!call.streamed && { message }) };
}

async function carryOut(work: Work): Promise<CallUpstreamResult> {
  const { deps, call, publisher, stop } = work;
  const startedAt = performance.now();
  const outcome = await ask(work);
  const latencyMs = Math.round(performance.now() - startedAt);
  const finished = recordOf(work, outcome, latencyMs);
  const recorded = await patiently(() => finishCall(deps.database, finished));
  if (recorded.superseded) return endOf(await patiently(() => readCallEnd(deps.database, call.call_id)));
  countCall(deps.metrics, finished, call.streamed);
  const { error } = outcome;
  // A job that was cancelled, or of which something else was asked, is settled by its workflow.
  const basis = stop.aborted ? null : recorded.basis;
  const job = basis ? await patiently(() => settleWithCall(deps, call.job_id, error, basis)) : undefined;
  const withJob = job && { job };
  await publisher.end({ ...lastWord(work, outcome, latencyMs), ...withJob });
  return { error, ...withJob };
}
