import { ApplicationFailure } from '@temporalio/activity';
import { retryUntilAvailable } from '../../src/concurrency/retry-until-available.ts';
import type { BegunCall } from '../../src/db/calls/begin-call.ts';
import { type FinishedCall, finishCall } from '../../src/db/calls/finish-call.ts';
import { insertInterruptedAttempts } from '../../src/db/calls/insert-attempts.ts';
import { markFirstToken } from '../../src/db/calls/mark-first-token.ts';
import { readCallEnd } from '../../src/db/calls/read-call-end.ts';
import type { Database } from '../../src/db/connection/database.ts';
import type { CallEnd } from '../../src/domain/call-result.ts';
import { callError } from '../../src/domain/call-state.ts';
import { uncountedTokens } from '../../src/domain/chat-message.ts';
import { sumOf } from '../../src/domain/pricing.ts';
import { countCall } from '../../src/metrics/metrics.ts';
import { emptyCompletion } from '../../src/upstream/request-completion.ts';
import type { CallUpstreamResult } from '../../workflows/contract/activities.ts';
import { settleWithCall } from '../jobs/settle-job.ts';
import type { ActivityDeps } from '../ports.ts';
import { cutShort, isGivenUp, type Progress } from './abort-reason.ts';
import type { FramePublisher } from './frame-publisher.ts';
import { type Outcome, tryModels } from './try-models.ts';

const superseded = () => ApplicationFailure.retryable('another attempt has this call', 'Superseded');

/** The result of a call that has ended without this attempt. */
export async function recordedResult(database: Database, callId: string): Promise<CallUpstreamResult> {
  const end = await retryUntilAvailable(() => readCallEnd(database, callId));
  // The call still runs: a later attempt of this activity has it, and Temporal ignores this one's result.
  if (!end) throw superseded();
  if (end.status === 'retracted') return { error: callError.retracted, retracted: true };
  return { error: end.status === 'succeeded' ? null : end.error };
}

const interrupted = (): Outcome => ({ answer: emptyCompletion(), attempts: [], error: callError.interrupted });

/** One attempt at a call that has begun. */
export interface Work {
  deps: ActivityDeps;
  call: BegunCall;
  /** Temporal's count. */
  attempt: number;
  publisher: FramePublisher;
  progress: Progress;
  /** Aborts when the call is cancelled, by the first of Redis and Temporal to say so, or given up. */
  stop: AbortSignal;
  /** Resolves when Temporal has given this worker the attempt, and rejects when it will not: nothing is shown or recorded before. */
  given: Promise<void>;
}

async function ask({ deps, call, attempt, publisher, progress, stop, given }: Work): Promise<Outcome> {
  if (call.shown) return interrupted();
  const { call_id, streamed, candidates } = call;
  const outcome = await tryModels({
    upstream: deps.upstream,
    modelPrice: deps.modelPrice,
    candidates,
    request: JSON.parse(call.request ?? '{}') as Record<string, unknown>,
    streamed,
    key: upstreamKey(deps, call),
    timeoutMs: deps.config.UPSTREAM_TIMEOUT_SECONDS * 1_000,
    signal: stop,
    async onDelta(delta) {
      if (!progress.shown) {
        await given;
        if (!(await retryUntilAvailable(() => markFirstToken(deps.database, call_id, attempt)))) throw superseded();
      }
      progress.shown = true;
      publisher.delta(delta);
    },
  });
  if (!outcome.error || !isGivenUp(stop)) return outcome;
  // No token was shown: another attempt starts over.
  if (!progress.shown) {
    await retryUntilAvailable(() =>
      insertInterruptedAttempts(deps.database, call_id, attempt, cutShort(outcome.attempts)),
    );
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
  const uncounted = uncountedTokens(usage, message);
  if (error !== null) return { status: 'failed', error, usage, uncounted };
  const finishReason = answer.finishReason ?? 'stop';
  return { status: 'succeeded', finishReason, usage, uncounted, latencyMs, ...(!call.streamed && { message }) };
}

/**
 * Asks the upstream, records what came of it, settles a job that ends with the call, and publishes the end: in this order, so
 * that whoever hears of the end finds it in the record.
 */
export async function carryOut(work: Work): Promise<CallUpstreamResult> {
  const { deps, call, publisher, stop, given } = work;
  const startedAt = performance.now();
  const outcome = await ask(work);
  const latencyMs = Math.round(performance.now() - startedAt);
  await given;
  const finished = recordOf(work, outcome, latencyMs);
  const recorded = await retryUntilAvailable(() => finishCall(deps.database, finished));
  if (recorded.superseded) return recordedResult(deps.database, call.call_id);
  countCall(deps.metrics, finished, call.streamed);
  const { error } = outcome;
  // A job that was cancelled, or of which something else was asked, is settled by its workflow.
  const basis = stop.aborted ? null : recorded.basis;
  const job = basis ? await retryUntilAvailable(() => settleWithCall(deps, call.job_id, error, basis)) : undefined;
  const withJob = job && { job };
  await publisher.end({ ...lastWord(work, outcome, latencyMs), ...withJob });
  return { error, ...withJob };
}
