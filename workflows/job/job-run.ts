import { condition, isCancellation, log, patched, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { CallUpstreamResult } from '../../activities/call-upstream/call-upstream.ts';
import { callError } from '../../src/domain/call-state.ts';
import type { JobResult } from '../../src/domain/job-state.ts';
import { hurry, localRecords, records, upstream } from '../activities.ts';
import type { CancelSignal, CompleteSignal, UpdateMetadataSignal } from '../contract/messages.ts';
import { afterCurrentActivation } from './after-current-activation.ts';
import { CallScopes } from './call-scopes.ts';
import { type JobCall, type JobSnapshot, JobState } from './job-state.ts';

export interface JobInput {
  state: JobSnapshot;
  idle_timeout_ms: number;
  /** History events after which a run hands over to the next one as soon as none of its calls is under way. */
  history_goal?: number;
  /** History events after which it hands over even if it has to wait for its calls first. */
  history_limit?: number;
}

/** While a call runs past the idle time, the clock is checked this often. */
const shortestWaitMs = 1_000;

/**
 * A worker keeps 5 KB for each call of a run until the run ends, and a worker that takes over a job reads the run's whole
 * history. A new run costs as much as a call: one for 140 calls.
 */
const historyGoal = 1_000;

/** Far below the server's limit of 51,200, with room for what is still in flight. */
const historyLimit = 15_000;

/** One run of a job's workflow: the job's state decides on each signal, and activities started here carry it out. */
export class JobRun {
  readonly state: JobState;
  private readonly input: JobInput;
  private readonly scopes = new CallScopes();
  /** What the job waits for before it ends. */
  private readonly errands = new Set<Promise<void>>();
  /** False for a run of version 1, which has to replay as it ran. */
  private readonly keptShort: boolean;
  readonly decidesFirst: boolean;
  private readonly records: typeof records | typeof localRecords;
  private draining = false;
  private settledWithCall: JobResult | undefined;

  constructor(input: JobInput) {
    this.input = input;
    this.state = new JobState(input.state);
    this.keptShort = input.state.version > 1;
    this.decidesFirst = input.state.version > 2;
    this.records = this.decidesFirst ? records : localRecords;
  }

  /** A call of the job was signalled. */
  admit(call: JobCall): void {
    const startsJob = this.isPending;
    const decision = this.state.admit(call, Date.now());
    if (decision === 'refuse') {
      const error = this.state.end?.status ?? 'completed';
      this.errand(() => this.records.closeCall({ call_id: call.call_id, status: 'refused', error }));
    }
    if (decision !== 'run') return;
    // The workflow of a single-call job has the status `in_progress` from its start.
    if (startsJob && !this.state.job.single_call) upsertSearchAttributes({ JobStatus: ['in_progress'] });
    const isParked = this.draining || (this.keptShort && this.isLong);
    if (isParked) this.park(call);
    else this.run(call, startsJob);
  }

  update({ command_id, metadata }: UpdateMetadataSignal): void {
    const verdict = this.state.updateMetadata(command_id, metadata, Date.now());
    if (!verdict.accepted) return;
    const { metadata: merged, updated_at } = verdict;
    this.errand(() => this.records.saveMetadata({ job_id: this.state.job.job_id, metadata: merged, updated_at }));
  }

  complete({ command_id, status, metadata, error_message }: CompleteSignal): void {
    const kept = status === 'failed' ? error_message : null;
    this.state.complete(command_id, { status, error_message: kept, cancel_reason: null }, metadata, Date.now());
  }

  cancel(command: CancelSignal): void {
    // A completion with no call left to wait for settles at once: too late to cancel.
    const overrulesCompletion = () =>
      this.decidesFirst ? this.scopes.isCalling || this.state.hasParked : patched('a cancel overrules a completion');
    const verdict = this.state.cancel(command, Date.now(), overrulesCompletion);
    if (!verdict.accepted) return;
    if (this.decidesFirst && this.scopes.isCalling) this.errand(hurry.abortCalls);
    this.scopes.cancelCalls();
  }

  /** Runs the calls that the previous run handed over, or that this run had kept for the next one. */
  runParked(): void {
    for (const call of this.state.takeParked()) this.run(call);
    // The job was cancelled after these calls were parked.
    if (this.keptShort && this.state.end?.status === 'cancelled') this.scopes.cancelCalls();
  }

  /** Resolves when the job is to end or another run has to take over, with no errand left. */
  async closed(): Promise<void> {
    await this.openFor(this.input.idle_timeout_ms);
    this.draining = !this.state.end;
    await condition(() => this.isIdle);
  }

  /** What the next run begins with; undefined when the job ends in this one. */
  handOver(): JobInput | undefined {
    if (this.state.end && !this.state.hasParked) return undefined;
    return { ...this.input, state: this.state.snapshot() };
  }

  /** The end of the job, once its errands are done. */
  async settle(): Promise<JobResult> {
    const result = this.settledWithCall ?? (await this.settleJob());
    this.state.settled(result.status);
    upsertSearchAttributes({ JobStatus: [result.status] });
    // A call that came while the job was being settled is being refused.
    await condition(() => this.isIdle);
    return { ...result, accepted: this.state.acceptedLately(), made: this.state.madeLately(Date.now()) };
  }

  private get isIdle(): boolean {
    return this.errands.size === 0;
  }

  private get isPending(): boolean {
    return this.state.current().status === 'pending';
  }

  private get isLong(): boolean {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    return continueAsNewSuggested || (this.keptShort && historyLength > (this.input.history_goal ?? historyGoal));
  }

  /** A long run makes room for the next one when it is idle; a very long one at any time. */
  private get makesRoom(): boolean {
    return (this.isLong && this.isIdle) || workflowInfo().historyLength > (this.input.history_limit ?? historyLimit);
  }

  /** Work that the job waits for before it ends, and that can neither fail the job nor be cancelled with it. */
  private errand(work: () => Promise<unknown>): void {
    const kept = this.scopes.shielded.run(work).then(
      () => undefined,
      (error) => log.error('an errand of the job failed', { error }),
    );
    this.errands.add(kept);
    void kept.then(() => this.errands.delete(kept));
  }

  private run(call: JobCall, startsJob = false): void {
    this.errand(() => this.runCall(call, startsJob));
  }

  private async runCall(call: JobCall, starts_job: boolean): Promise<void> {
    const { state, scopes } = this;
    const { call_id, model_group } = call;
    const ended: CallUpstreamResult = await scopes
      .runCall(() =>
        upstream.callUpstream.executeWithOptions({ summary: `${model_group ?? 'alias'} · ${call_id}` }, [
          { call_id, starts_job, job_started_at: state.startedAt ?? Date.now(), ends_job: state.endsWith(call) },
        ]),
      )
      .catch((failure: unknown) => this.callLost(call_id, failure));
    this.settledWithCall ??= ended.job;
    state.callEnded(call, ended, Date.now());
    if (ended.retracted && this.isPending && !state.job.single_call) upsertSearchAttributes({ JobStatus: ['pending'] });
  }

  /** A worker that is lost while it aborts a cancelled call cannot report that: the status of the job's end shows it. */
  private async callLost(call_id: string, failure: unknown): Promise<CallUpstreamResult> {
    const { state } = this;
    const cancelled = isCancellation(failure) || state.end?.status === 'cancelled';
    const error = cancelled ? callError.cancelled : callError.lost;
    await this.records.closeCall({ call_id, status: 'failed', error, job_started_at: state.startedAt! });
    await this.records.recordCost({ job_id: state.job.job_id });
    return { error };
  }

  private park(call: JobCall): void {
    this.state.park(call);
    void this.scopes.shielded.run(() => this.beginParked());
  }

  /** A long run that is idle ends and leaves parked calls to the next run; while it is busy, it runs them itself. */
  private async beginParked(): Promise<void> {
    await afterCurrentActivation();
    if (!this.draining && !this.isIdle) this.runParked();
  }

  /** Returns when the job is to end, another run has to take over, or the job was idle for too long. */
  private async openFor(idleMs: number): Promise<void> {
    const { state } = this;
    const over = () => state.end !== null || this.makesRoom;
    while (!over()) {
      // While its call runs, a single-call job needs no idle timer: normally it ends with that call.
      if (state.job.single_call && !this.isIdle) {
        await condition(() => over() || this.isIdle);
        continue;
      }
      // One timer, set again only after it has fired, not with each signal.
      const remainingMs = state.lastActivityAt + idleMs - Date.now();
      if (remainingMs <= 0 && this.isIdle) state.timeOut();
      else await condition(over, Math.max(remainingMs, shortestWaitMs));
    }
  }

  private async settleJob(): Promise<JobResult> {
    const { job_id, single_call } = this.state.job;
    const ending = this.state.startSettling();
    const { model_groups_used } = this.state.current();
    if (!this.decidesFirst && this.state.startedAt !== null && !single_call) await this.records.recordCost({ job_id });
    return this.records.settleJob({ ...ending, job_id, model_groups_used, completed_at: Date.now() });
  }
}
