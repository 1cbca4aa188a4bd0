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
  /** Milliseconds since the epoch; counts for the first call of a job. */
  job_started_at: number;
  /** The job ends with it: nothing will be asked of the job after this call. */
  ends_job?: boolean;
}

export interface CloseCallInput {
  call_id: string;
  status: 'refused' | 'failed';
  error: string;
  /** Milliseconds since the epoch. Of a call that its job has taken: where no worker had it yet, it begins before it ends, and its job with it. */
  job_started_at?: number;
}

export interface CallUpstreamResult {
  /** Null: it succeeded. */
  error: string | null;
  /** It was taken back before a worker had it, and its client told so. */
  withdrawn?: boolean;
  /** The end of the job, when it came with the call's. */
  job?: JobResult;
}

/**
 * Twice within the heartbeat timeout. Where Redis is away a cancellation arrives with the answer to one; and each costs the
 * server a write: at one a second, 200 streams kept a tenth of a small machine busy with nothing else.
 */
const heartbeatMs = 4_000;

export const createCallActivities = (deps: ActivityDeps) => ({
  /**
   * One LLM call: asks the upstream, streams what it says, keeps the record, says how it ended. Idempotent by `call_id`
   * and the guards on its row: an attempt after the one that finished it does nothing, and an attempt after one that
   * has shown a token only ends it. Retried by Temporal when its worker was lost or an operator wants it so, and for nothing else.
   */
  async callUpstream({
    call_id,
    starts_job,
    job_started_at,
    ends_job,
  }: CallUpstreamInput): Promise<CallUpstreamResult> {
    // An operator may have sent the signal, and PostgreSQL would refuse the question.
    if (!isUuid(call_id)) return { error: noSuchCall };
    const { attempt, workflowExecution } = activityInfo();
    const beating = setInterval(heartbeat, heartbeatMs);
    const told = deps.cancellations.hear(workflowExecution!.workflowId);
    let next: NextSignal | undefined;
    const progress: Progress = { shown: false };
    const stop = AbortSignal.any([told.signal, givenUpOrCancelled(cancellationSignal(), progress)]);
    // The server's clock has run since it gave the attempt away, which may have been to a worker that stood still.
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
      // Behind the request to the upstream, which is on its way by now.
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

  /** Ends a call that no attempt will end, and tells whoever waits for it. Idempotent: a call that has ended stays so. */
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
  // Still running: a later attempt of the same activity has it, and nobody listens to this one any more.
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
  /** Cancelled, by whoever says so first, or given up. */
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
  // When nothing was shown another attempt starts over.
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

/** What is said to whoever waits; the reader of a stream has the message already. */
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
  // Where something else was asked of the job, its workflow knows of that and settles it.
  const basis = stop.aborted ? null : recorded.basis;
  const job = basis ? await patiently(() => settleWithCall(deps, call.job_id, error, basis)) : undefined;
  const withJob = job && { job };
  await publisher.end({ ...lastWord(work, outcome, latencyMs), ...withJob });
  return { error, ...withJob };
}
