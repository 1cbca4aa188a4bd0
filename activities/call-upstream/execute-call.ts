import { finishWithJob, publishSettled, type SettledJob, settleInTurn } from '../../src/calls/settle.ts';
import { retryUntilAvailable } from '../../src/concurrency/retry-until-available.ts';
import { type FinishedCall, type FinishedRow, finishCall } from '../../src/db/calls/finish-call.ts';
import { type CallToExecute, startCall } from '../../src/db/calls/start-call.ts';
import { piecesOf } from '../../src/domain/answer-parts.ts';
import type { CallStatus } from '../../src/domain/call-state.ts';
import { hasToolCalls } from '../../src/domain/chat-message.ts';
import { stopped } from '../../src/domain/finish-reason.ts';
import { Unavailable } from '../../src/errors.ts';
import { countCall } from '../../src/metrics/metrics.ts';
import type { CallUpstreamResult } from '../../workflows/contract/activities.ts';
import { busy } from '../busy.ts';
import type { ActivityDeps, WorkerAttempt } from '../ports.ts';
import { CallAborts } from './call-aborts.ts';
import { toCallResult, toFinishedCall } from './call-record.ts';
import { CallRequest } from './call-request.ts';
import { FramePublisher } from './frame-publisher.ts';
import { recordedResult, retractedCall } from './recorded-result.ts';
import { type Execution, requestAnswer } from './request-answer.ts';
import { inAttempt, traceAttempt } from './trace-call.ts';
import { type Cutoff, watchCutoff } from './watch-cutoff.ts';

/** A worker that is full of calls is so for as long as their models take. Twenty tries are ten minutes, as long as a model may be silent. */
const workerFull = {
  type: 'WorkerFull',
  message: 'the worker runs as many calls as it may',
  firstMs: 500,
  mostMs: 60_000,
} as const;

/**
 * One worker attempt at a call, from its start in the record to its published end. Rejects when another worker attempt has the call,
 * or is to have it, and before it has done anything when the worker runs as many calls as it may.
 */
export async function executeCall(deps: ActivityDeps, attempt: WorkerAttempt): Promise<CallUpstreamResult> {
  const leave = deps.measures.takeSlot('calls');
  if (!leave) throw busy(workerFull, attempt.workerAttempt);
  try {
    return await executeInSlot(deps, attempt);
  } finally {
    leave();
  }
}

async function executeInSlot(deps: ActivityDeps, attempt: WorkerAttempt): Promise<CallUpstreamResult> {
  const startedAt = Date.now();
  const { input, workerAttempt, workflowId, early } = attempt;
  const cancelled = deps.cancellations.subscribe(workflowId);
  const stopping = deps.stopRequests.subscribe(input.call_id);
  const { cancellation } = attempt;
  const aborts = new CallAborts({ stopped: stopping.signal, cancelled: cancelled.signal, cancellation });
  let cutoff: Cutoff | undefined;
  try {
    const call = await startAttempt(deps, attempt);
    if (!call) return retractedCall;
    deps.deliveries.start(call.team_id, call.delivery_ids);
    if (!call.is_started) return await recordedResult(deps.database, call.call_id);
    const source = { callId: call.call_id, workerAttempt, streamed: call.streamed, asynchronous: call.asynchronous };
    const publisher = new FramePublisher(deps.callEvents, source);
    publisher.publishStarted();
    publishChanges(deps, call, 'running', input.starts_job ? 'in_progress' : undefined);
    if (call.is_stop_requested) aborts.requestStop();
    const request = early?.request ?? new CallRequest(deps, call);
    if (call.cutoff_in_ms !== null) {
      cutoff = watchCutoff(deps.database, call.job_id, call.cutoff_in_ms);
      aborts.follow(cutoff.signal);
    }
    const span = early?.span ?? traceAttempt(deps, call, { workerAttempt, startedAt });
    const execution = { deps, call, request, workerAttempt, publisher, aborts, early, span };
    return await inAttempt(span, () => executeStartedCall(execution));
  } finally {
    cutoff?.close();
    cancelled.unsubscribe();
    stopping.unsubscribe();
  }
}

/**
 * Requests the answer, records it with the end of a job that ends with the call, and publishes the end: in this order, so that every
 * receiver of the end finds it in the record.
 */
async function executeStartedCall(execution: Execution): Promise<CallUpstreamResult> {
  const { deps, call, publisher, aborts, early } = execution;
  const requestedAt = early?.requestedAt ?? performance.now();
  const made = await requestAnswer(execution);
  const latencyMs = Math.round(performance.now() - requestedAt);
  const { message, finishReason } = made.answer;
  if (call.streamed && execution.request.keepsPieces) message.order = piecesOf(message, publisher.pieces);
  const finished = toFinishedCall(call, execution.workerAttempt, made, latencyMs, execution.request.kept());
  // An answer is kept for a day in any case, because a repetition of its request receives it. Vectors are kept for minutes.
  if (finished.response !== null && !made.answer.message.embeddings)
    deps.storedBytes.add(call.team_id, Buffer.byteLength(finished.response));
  const isUnshown = finishReason === stopped && !call.has_first_token && !aborts.hasFirstToken;
  const recorded = await retryUntilAvailable(() => recordEnd(execution, finished, isUnshown));
  if (!recorded) return recordedResult(deps.database, call.call_id);
  countCall(deps.metrics, finished, call);
  publishChanges(deps, call, finished.status);
  const { error } = recorded;
  deps.deliveries.start(call.team_id, recorded.call_delivery_ids);
  const outcome = { ...made, error };
  const withJob = recorded.job && { job: publishSettled(deps, call.job_id, recorded.job) };
  // What an earlier attempt has shown may not have reached every reader.
  const isShown = call.streamed && !call.has_first_token;
  await publisher.end({ ...toCallResult(outcome, latencyMs, { isShown }), ...withJob });
  return {
    error,
    ...(error === null && hasToolCalls(outcome.answer.message) && { has_tool_calls: true }),
    ...(isUnshown && { is_unshown: true }),
    ...withJob,
  };
}

/**
 * A job that was cancelled is settled by its workflow, and so is one whose settlement fails: the end of its call does not depend on that,
 * because another attempt would ask the model again.
 */
async function recordEnd(
  { deps, call, aborts }: Execution,
  finished: FinishedCall,
  isUnshown: boolean,
): Promise<(FinishedRow & { job?: SettledJob | undefined }) | undefined> {
  const { job_id, team_id, ends_job } = call;
  if (ends_job && !aborts.isLeftToWorkflow) {
    const job = { job_id, billing: ends_job, isUnshown };
    try {
      return await settleInTurn(deps, team_id, () => finishWithJob(deps, finished, job));
    } catch (error) {
      if (!(error instanceof Unavailable)) deps.log.error({ err: error, job_id }, 'settlement: left to the workflow');
    }
  }
  return finishCall(deps.database, finished);
}

const startAttempt = ({ database }: ActivityDeps, { input, workerAttempt, early }: WorkerAttempt) =>
  retryUntilAvailable(() =>
    startCall(database, input.call_id, {
      workerAttempt,
      startsJob: input.starts_job ?? false,
      jobStartedAt: new Date(input.job_started_at),
      hasRequest: early !== undefined,
    }),
  );

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
