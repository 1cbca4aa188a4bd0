import {
  condition,
  isCancellation,
  log,
  patched,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { callError } from '../../src/domain/call-state.ts';
import type { JobResult } from '../../src/domain/job-state.ts';
import { summary } from '../../src/domain/summary.ts';
import { interrupts, records, upstream } from '../activity-proxies.ts';
import type { CallUpstreamResult } from '../contract/activities.ts';
import type {
  CancelSignal,
  ChangeDeadlineSignal,
  CompleteSignal,
  JobCall,
  UpdateMetadataSignal,
} from '../contract/messages.ts';
import type { JobInput, JobWorkflowResult, PendingEnd } from '../contract/workflows.ts';
import { afterCurrentActivation } from './after-current-activation.ts';
import { CallScopes } from './call-scopes.ts';
import { JobState } from './job-workflow-state.ts';
import { TurnWatch } from './turn-watch.ts';

/** While a call runs past the idle time, the clock is checked this often. */
const minWaitMs = 1_000;

/**
 * A worker holds 5 KB for each call of a run until the run ends, and a worker that takes over a job reads the run's whole
 * history. A new run costs as much as a call: one for 140 calls.
 */
const softHistoryLimit = 1_000;

/** The server's limit is 51,200. This is far below, with room for what is still in flight. */
const hardHistoryLimit = 15_000;

/** A worker receives with its next heartbeat, at most 4 s later, that the workflow is gone; it aborts the calls and records their cost. */
const droppedWithin = '6s';
/** What the call is for comes first: the line is cut at 400 bytes. */
const summaryOf = ({ purpose, model_group, call_id }: JobCall): string =>
  summary([...(purpose ? [purpose] : []), model_group ?? 'alias', call_id].join(' · '));

/** One run of a job's workflow: the job's state decides on each signal, and activities started here execute the decision. */
export class JobRun {
  readonly state: JobState;
  private readonly input: JobInput;
  private readonly scopes = new CallScopes();
  /** What the job waits for before it ends. */
  private readonly pendingEffects = new Set<Promise<void>>();
  /** The next run takes over as soon as no effect is pending: calls that come now are deferred to it. */
  private isDraining = false;
  private settledWithCall: JobResult | undefined;
  private isWatchingDeadline = false;
  private readonly turnWatch: TurnWatch;

  constructor(input: JobInput) {
    this.input = input;
    this.state = new JobState(input.state);
    this.turnWatch = new TurnWatch(this.state);
  }

  /** A call of the job was signalled. */
  admit(call: JobCall): void {
    const startsJob = this.isPending;
    const decision = this.state.admit(call, Date.now());
    if (decision === 'refuse') {
      const error = this.state.end?.status ?? 'completed';
      this.startEffect(() => records.closeCall({ call_id: call.call_id, status: 'refused', error }));
    }
    if (decision !== 'run') return;
    // The workflow of a single-call job has the status `in_progress` from its start.
    if (startsJob && !this.state.job.single_call) upsertSearchAttributes({ JobStatus: ['in_progress'] });
    if (this.isDraining || this.isLong) this.defer(call);
    else this.run(call, startsJob);
  }

  update({ command_id, metadata }: UpdateMetadataSignal): void {
    const decision = this.state.updateMetadata(command_id, metadata, Date.now());
    if (!decision.accepted) return;
    const { metadata: merged, updated_at } = decision;
    this.startEffect(() => records.saveMetadata({ job_id: this.state.job.job_id, metadata: merged, updated_at }));
  }

  complete({ command_id, status, metadata, error_message, sealed_end }: CompleteSignal): void {
    const message = status === 'failed' ? error_message : null;
    const ending: PendingEnd = { status, error_message: message, cancel_reason: null, ended_by: 'client' };
    this.state.complete(command_id, sealed_end ? { ...ending, sealed_end } : ending, metadata, Date.now());
  }

  cancel(command: CancelSignal): void {
    // A completion that waits for no call is settled at once: too late to cancel.
    const isCompletionWaiting = () => this.scopes.isCalling || this.state.hasDeferred;
    const decision = this.state.cancel(command, Date.now(), isCompletionWaiting);
    if (decision.accepted) this.abortCalls();
  }

  changeDeadline({ cutoff_at }: ChangeDeadlineSignal): void {
    this.state.cutoffAt = cutoff_at;
    this.watchDeadline();
  }

  /**
   * Ends the job when its deadline is over. A run that has begun in a version without deadlines has neither timer nor activity for it
   * in its history: there the next signal, of maintenance, begins the watch.
   */
  watchDeadline(): void {
    if (this.isWatchingDeadline || this.state.cutoffAt === null || !patched('deadline')) return;
    this.isWatchingDeadline = true;
    void this.scopes.shielded
      .run(() => this.untilDeadline())
      .finally(() => {
        this.isWatchingDeadline = false;
      });
  }

  watchTurn(): void {
    this.turnWatch.begin(this.scopes.shielded);
  }

  /** Runs the calls that the previous run, or this one, has deferred. */
  runDeferred(): void {
    for (const call of this.state.takeDeferred()) this.run(call);
    // The job was cancelled, or its deadline ended, after these calls were deferred.
    if (this.isAborting) this.scopes.cancelCalls();
  }

  /** Ends the calls whose workflow was terminated: the job ends with it. */
  closeTerminatedCalls(): void {
    for (const call_id of this.input.state.terminated_calls ?? []) {
      this.startEffect(async () => {
        await sleep(droppedWithin);
        await records.closeCall({ call_id, status: 'failed', error: callError.terminated });
      });
    }
  }

  /** Resolves when the job is to end or the next run has to take over, and no effect is pending. */
  async untilClosing(): Promise<void> {
    await this.untilEndingOrLong(this.input.idle_timeout_ms);
    this.isDraining = !this.state.end;
    await condition(() => this.isIdle);
  }

  /** Undefined when the job ends in this run. */
  nextRunInput(): JobInput | undefined {
    if (this.state.end && !this.state.hasDeferred) return undefined;
    return { ...this.input, state: this.state.snapshot() };
  }

  /** Settles the job and returns its end once no effect is pending. */
  async settle(): Promise<JobWorkflowResult> {
    const result = this.settledWithCall ?? (await this.settleJob());
    this.state.markSettled(result.status);
    upsertSearchAttributes({ JobStatus: [result.status] });
    // A call that came while the job was being settled is being refused.
    await condition(() => this.isIdle);
    return {
      ...result,
      accepted_commands: this.state.acceptedCommands(),
      metadata_updates: this.state.recentMetadataUpdates(Date.now()),
    };
  }

  private get isIdle(): boolean {
    return this.pendingEffects.size === 0;
  }

  /** The end of the job does not wait for its calls. */
  private get isAborting(): boolean {
    const { end } = this.state;
    return end?.status === 'cancelled' || end?.ended_by === 'deadline';
  }

  private get isPending(): boolean {
    return this.state.current().status === 'pending';
  }

  private get isLong(): boolean {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    return continueAsNewSuggested || historyLength > (this.input.soft_history_limit ?? softHistoryLimit);
  }

  /** A long run continues as new when it is idle; a very long one at any time. */
  private get shouldContinueAsNew(): boolean {
    if (this.isLong && this.isIdle) return true;
    return workflowInfo().historyLength > (this.input.hard_history_limit ?? hardHistoryLimit);
  }

  /** Starts work that the job waits for before it ends, and that can neither fail the job nor be cancelled with it. */
  private startEffect(work: () => Promise<unknown>): void {
    const effect = this.scopes.shielded.run(work).then(
      () => undefined,
      (error) => log.error('job: pending effect failed', { error }),
    );
    this.pendingEffects.add(effect);
    void effect.then(() => this.pendingEffects.delete(effect));
  }

  private run(call: JobCall, startsJob = false): void {
    this.startEffect(() => this.runCall(call, startsJob));
  }

  private async runCall(call: JobCall, starts_job: boolean): Promise<void> {
    const { state, scopes } = this;
    const { call_id } = call;
    const ended: CallUpstreamResult = await scopes
      .runCall(() =>
        upstream.callUpstream.executeWithOptions({ summary: summaryOf(call) }, [
          { call_id, starts_job, job_started_at: state.startedAt ?? Date.now(), ends_job: state.mayEndJob(call) },
        ]),
      )
      .catch((failure: unknown) => this.closeFailedCall(call_id, failure));
    this.settledWithCall ??= ended.job;
    if (ended.error === callError.deadline) this.exceedDeadline();
    state.callEnded(call, ended, Date.now());
    this.watchTurn();
    if (ended.retracted && this.isPending && !state.job.single_call) upsertSearchAttributes({ JobStatus: ['pending'] });
  }

  /**
   * Ends a call whose activity was cancelled before it began, or failed because its workers were lost. A worker that is lost while
   * it aborts a call cannot report that: then the end of the job says so.
   */
  private async closeFailedCall(call_id: string, failure: unknown): Promise<CallUpstreamResult> {
    const { state } = this;
    const isAborted = isCancellation(failure) || this.isAborting;
    const reason = state.end?.ended_by === 'deadline' ? callError.deadline : callError.cancelled;
    const error = isAborted ? reason : callError.lost;
    await records.closeCall({ call_id, status: 'failed', error, job_started_at: state.startedAt! });
    await records.recordCost({ job_id: state.job.job_id });
    return { error };
  }

  private abortCalls(): void {
    if (this.scopes.isCalling) this.startEffect(interrupts.abortCalls);
    this.scopes.cancelCalls();
  }

  /**
   * Resolves when the job has ended by its deadline, or has none any more. The signals of changes may be lost, late or forged, and
   * clocks differ: so the record is read before the job ends. `docs/decisions/0113`.
   */
  private async untilDeadline(): Promise<void> {
    const { state } = this;
    while (state.cutoffAt !== null) {
      const cutoffAt = state.cutoffAt;
      const isChanged = () => state.cutoffAt !== cutoffAt;
      if (await condition(isChanged, Math.max(cutoffAt - Date.now(), 1))) continue;
      const remainingMs = await records.readCutoff({ job_id: state.job.job_id });
      if (isChanged()) continue;
      if (remainingMs !== null && remainingMs <= 0) return this.exceedDeadline();
      state.cutoffAt = remainingMs === null ? null : Date.now() + remainingMs;
    }
  }

  private exceedDeadline(): void {
    if (this.state.exceedDeadline()) this.abortCalls();
  }

  private defer(call: JobCall): void {
    this.state.defer(call);
    void this.scopes.shielded.run(() => this.runDeferredIfBusy());
  }

  /** A long run that is idle ends and leaves deferred calls to the next run; while it is busy, it runs them itself. */
  private async runDeferredIfBusy(): Promise<void> {
    await afterCurrentActivation();
    if (!this.isDraining && !this.isIdle) this.runDeferred();
  }

  /** Resolves when the job is to end, also because it was idle for too long, or when the next run has to take over. */
  private async untilEndingOrLong(idleMs: number): Promise<void> {
    const { state } = this;
    const isOver = () => state.end !== null || this.shouldContinueAsNew;
    while (!isOver()) {
      // While its call runs, a single-call job needs no idle timer: normally it ends with that call.
      if (state.job.single_call && !this.isIdle) {
        await condition(() => isOver() || this.isIdle);
        continue;
      }
      // One timer, set again only after it has fired, not with each signal.
      const remainingMs = state.lastActivityAt + idleMs - Date.now();
      if (remainingMs <= 0 && this.isIdle) state.timeOut();
      else await condition(isOver, Math.max(remainingMs, minWaitMs));
    }
  }

  private settleJob(): Promise<JobResult> {
    const ending = this.state.startSettling();
    const { model_groups_used } = this.state.current();
    const { job_id } = this.state.job;
    return records.settleJob({ ...ending, job_id, model_groups_used, completed_at: Date.now() });
  }
}
