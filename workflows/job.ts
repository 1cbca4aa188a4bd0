import {
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  log,
  patched,
  setDefaultSignalHandler,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { CallUpstreamResult } from '../activities/calls.ts';
import { callError } from '../src/domain/calls.ts';
import type { JobResult } from '../src/domain/job.ts';
import { hurry, localRecords, records, upstream } from './activities.ts';
import { CallScopes } from './call-scopes.ts';
import { everythingHeard } from './everything-heard.ts';
import { type JobCall, type JobSnapshot, JobState } from './job-state.ts';
import {
  type CancelSignal,
  type CompleteSignal,
  cancel,
  commandOutcome,
  complete,
  jobState,
  llmCall,
  type UpdateMetadataSignal,
  updateMetadata,
} from './messages.ts';
import { form, understood } from './understood.ts';

export interface JobInput {
  state: JobSnapshot;
  idle_timeout_ms: number;
  /** Events after which a run makes room for the next one as soon as none of its calls is under way. */
  history_goal?: number;
  /** Events after which it does even if that means to wait for its calls. */
  history_limit?: number;
}

/** While a call runs past the idle time, this is how often the clock is looked at. */
const shortestWaitMs = 1_000;

/**
 * A worker keeps 5 KB for each call of a run until the run ends, and one that takes over a job reads all of its history. A new
 * run costs as much as a call: one for 140 calls.
 */
const historyGoal = 1_000;

/** From the Temporal UI. */
const byOperator: CancelSignal = { command_id: 'operator', reason: 'cancelled by an operator' };

/** Of the server's 51,200: far from its limit, with room for what is still in flight. */
const historyLimit = 15_000;

/**
 * One job, from its creation to its end. Signals are heard at once and never fail: what they ask for is decided by the
 * state and done by activities. At the end the door closes, the calls in flight finish, the credit is settled.
 */
export async function job(input: JobInput): Promise<JobResult> {
  const state = new JobState(input.state);
  const scopes = new CallScopes();
  const errands = new Set<Promise<void>>();
  const idle = () => errands.size === 0;
  const isPending = () => state.current().status === 'pending';
  // What earlier versions began has to replay as it ran.
  const keptShort = input.state.version > 1;
  const decidesFirst = input.state.version > 2;
  const { closeCall, recordCost, saveMetadata, settleJob } = decidesFirst ? records : localRecords;
  const isLong = () => {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    return continueAsNewSuggested || (keptShort && historyLength > (input.history_goal ?? historyGoal));
  };
  let draining = false;
  let settledWithCall: JobResult | undefined;

  /** Something that the job waits for before it ends, and that must neither fail it nor be cut short with it. */
  const errand = (work: () => Promise<unknown>) => {
    const kept = scopes.shielded.run(work).then(
      () => undefined,
      (error) => log.error('an errand of the job failed', { error }),
    );
    errands.add(kept);
    void kept.then(() => errands.delete(kept));
  };

  const run = (call: JobCall, startsJob = false) => errand(() => runCall(call, startsJob));

  const runCall = async (call: JobCall, starts_job: boolean) => {
    const { call_id, model_group } = call;
    const ended: CallUpstreamResult = await scopes
      .runCall(() =>
        upstream.callUpstream.executeWithOptions({ summary: `${model_group ?? 'alias'} · ${call_id}` }, [
          { call_id, starts_job, job_started_at: state.startedAt ?? Date.now(), ends_job: state.endsWith(call) },
        ]),
      )
      .catch(async (failure: unknown) => {
        // A worker that is lost while it was to abort the call says nothing of it any more.
        const cancelled = isCancellation(failure) || state.end?.status === 'cancelled';
        const error = cancelled ? callError.cancelled : callError.lost;
        await closeCall({ call_id, status: 'failed', error, job_started_at: state.startedAt! });
        await recordCost({ job_id: state.job.job_id });
        return { error };
      });
    settledWithCall ??= ended.job;
    state.callEnded(call, ended, Date.now());
    if (ended.withdrawn && isPending() && !state.job.single_call) upsertSearchAttributes({ JobStatus: ['pending'] });
  };

  /** A completion that waits for calls; one that waits for nothing is as good as settled. */
  const cancelOverrules = () =>
    decidesFirst ? scopes.isCalling || state.hasParked : patched('a cancel overrules a completion');

  const stop = (command: CancelSignal) => {
    const verdict = state.cancel(command, Date.now(), cancelOverrules);
    if (!verdict.accepted) return;
    if (decidesFirst && scopes.isCalling) errand(hurry.abortCalls);
    scopes.cancelCalls();
  };

  const admit = (call: JobCall) => {
    const startsJob = isPending();
    const decision = state.admit(call, Date.now());
    if (decision === 'refuse') {
      const error = state.end?.status ?? 'completed';
      errand(() => closeCall({ call_id: call.call_id, status: 'refused', error }));
    }
    if (decision !== 'run') return;
    // A single-call job is started as what it becomes with its call.
    if (startsJob && !state.job.single_call) upsertSearchAttributes({ JobStatus: ['in_progress'] });
    const isParked = draining || (keptShort && isLong());
    if (!isParked) return run(call, startsJob);
    state.park(call);
    void scopes.shielded.run(beginParked);
  };

  const runParked = () => {
    for (const call of state.takeParked()) run(call);
    // The job was cancelled since they were heard of.
    if (keptShort && state.end?.status === 'cancelled') scopes.cancelCalls();
  };

  /** A long run ends as soon as it is idle, and what was parked until then is the next one's; while it is busy, its own. */
  const beginParked = async () => {
    await everythingHeard();
    if (!draining && !idle()) runParked();
  };

  const update = ({ command_id, metadata }: UpdateMetadataSignal) => {
    const verdict = state.updateMetadata(command_id, metadata, Date.now());
    if (!verdict.accepted) return;
    const { metadata: merged, updated_at } = verdict;
    errand(() => saveMetadata({ job_id: state.job.job_id, metadata: merged, updated_at }));
  };

  const close = ({ command_id, status, metadata, error_message }: CompleteSignal) => {
    const kept = status === 'failed' ? error_message : null;
    state.complete(command_id, { status, error_message: kept, cancel_reason: null }, metadata, Date.now());
  };

  const settle = async (): Promise<JobResult> => {
    const { job_id, single_call } = state.job;
    const ending = state.startSettling();
    const { metadata, model_groups_used } = state.current();
    if (!decidesFirst && state.startedAt !== null && !single_call) await recordCost({ job_id });
    return settleJob({ ...ending, job_id, metadata, model_groups_used, completed_at: Date.now() });
  };

  const heard = {
    [llmCall.name]: understood(form.call, admit),
    [updateMetadata.name]: understood(form.update, update),
    [complete.name]: understood(form.completion, close),
    [cancel.name]: understood(form.cancellation, stop),
  };
  // Those that came before the first task would be heard kind by kind, a late call before the completion that refuses it.
  if (decidesFirst)
    setDefaultSignalHandler((name, message) => {
      if (Object.hasOwn(heard, name)) heard[name]?.(message);
    });
  setHandler(llmCall, heard[llmCall.name], { description: 'Run one LLM call, by the id of its record' });
  setHandler(updateMetadata, heard[updateMetadata.name]);
  setHandler(complete, heard[complete.name]);
  setHandler(cancel, heard[cancel.name]);
  setHandler(jobState, () => state.current());
  setHandler(commandOutcome, (commandId) => state.verdictOn(commandId));

  // Cancelled by an operator in the Temporal UI: the same end as over HTTP.
  CancellationScope.current().cancelRequested.catch(() => stop(byOperator));

  runParked();

  const roomIsShort = () => workflowInfo().historyLength > (input.history_limit ?? historyLimit);
  const goodMoment = () => isLong() && idle();

  return CancellationScope.nonCancellable(async () => {
    await openUntil(state, input.idle_timeout_ms, idle, () => goodMoment() || roomIsShort());
    draining = !state.end;
    await condition(idle);
    if (!state.end || state.hasParked) return continueAsNew<typeof job>({ ...input, state: state.snapshot() });
    const result = settledWithCall ?? (await settle());
    state.settled(result.status);
    upsertSearchAttributes({ JobStatus: [result.status] });
    // A call that came while the job was being settled is being refused.
    await condition(idle);
    return { ...result, accepted: state.acceptedLately() };
  });
}

/** Returns when the job shall end, when another run has to take over, or when nobody has asked anything for too long. */
async function openUntil(state: JobState, idleMs: number, idle: () => boolean, makeRoom: () => boolean): Promise<void> {
  const over = () => state.end !== null || makeRoom();
  while (!over()) {
    // With a call under way a single-call job needs no clock: as a rule it ends with that.
    if (state.job.single_call && !idle()) {
      await condition(() => over() || idle());
      continue;
    }
    // One timer, set again only when it has fired: not one for each signal.
    const remainingMs = state.lastActivityAt + idleMs - Date.now();
    if (remainingMs <= 0 && idle()) state.timeOut();
    else await condition(over, Math.max(remainingMs, shortestWaitMs));
  }
}
