import { type EndByCall, endsJob, mayEndJob } from '../../src/domain/job-end.ts';
import { canBecome, type FinalJobStatus, jobDeadlineExceeded, jobTimedOut } from '../../src/domain/job-state.ts';
import { type Metadata, type MetadataVersion, mergeMetadata } from '../../src/domain/metadata.ts';
import { newestJobVersion } from '../../src/domain/workflow-version.ts';
import type { CallUpstreamResult } from '../contract/activities.ts';
import type { CancelSignal, CommandDecision, Decision, JobCall, JobView } from '../contract/messages.ts';
import type { JobIdentity, JobSnapshot, PendingEnd } from '../contract/workflows.ts';
import { Decisions } from './decisions.ts';
import { accepted, cancelledWithCall, completion, failure, finished, tooLarge } from './ends.ts';
import { evictOldest } from './evict-oldest.ts';
import { Turn } from './turn.ts';

/** How many ended calls are stored: a repeated signal comes soon after the first. PostgreSQL refuses later ones. */
const maxRecentCalls = 500;

/** Each has up to 10 KB: too much for the input of the next run. The decision on an update that is not stored has the current metadata. */
const maxMetadataUpdates = 100;
/** The result of a job stays in its history: it has only the updates that a client may still wait for, and three of the largest. */
const metadataUpdatesInResult = { withinMs: 10_000, characters: 32_768 };

/** What an operator's cancellation of the workflow, in the Temporal UI, does to the job. */
export const operatorCancellation: CancelSignal = { command_id: 'operator', reason: 'cancelled by an operator' };

/** The state of a job's workflow and its decisions. No clock, no Temporal: the same calls give the same state. */
export class JobState {
  readonly job: JobIdentity;
  /** What the job began with: its version, and fields that only a newer version of this code knows. */
  private readonly begun: JobSnapshot;
  private readonly view: JobView;
  private ending: PendingEnd | null;
  private isSettling = false;
  private deferredCalls: JobCall[];
  /** The model group of each running or deferred call, by call id. */
  private readonly unfinishedCalls: Map<string, string | null>;
  /** The groups of ended calls that were not retracted; null stands for an alias. */
  private readonly groupsOfEndedCalls: Set<string | null>;
  private readonly recentCallIds: Set<string>;
  private readonly decisions: Decisions;
  /** The metadata after the latest updates, by command id. */
  private readonly metadataUpdates = new Map<string, MetadataVersion>();
  lastActivityAt: number;
  /** The call that ended last succeeded, and its answer has no tool calls. */
  private isAnswered: boolean;
  readonly turn: Turn;
  /** When the job ends if it is open. Null: it has no deadline. */
  cutoffAt: number | null;

  constructor(snapshot: JobSnapshot) {
    const { version, view, deferred_calls } = snapshot;
    // Fails the workflow task. Temporal repeats it until a worker that supports the version gets it; to run it here could corrupt the
    // job.
    if (version > newestJobVersion) throw new Error(`a job of version ${version} needs a newer worker`);
    this.begun = snapshot;
    this.job = snapshot.job;
    this.view = { ...view };
    this.ending = snapshot.ending;
    this.deferredCalls = [...deferred_calls];
    this.unfinishedCalls = new Map(deferred_calls.map(({ call_id, model_group }) => [call_id, model_group]));
    this.groupsOfEndedCalls = new Set(view.started_at === null ? [] : [null, ...view.model_groups_used]);
    this.recentCallIds = new Set(snapshot.recent_call_ids);
    this.decisions = new Decisions(snapshot.decisions);
    this.lastActivityAt = snapshot.last_activity_at;
    this.isAnswered = snapshot.is_answered;
    this.cutoffAt = snapshot.cutoff_at ?? null;
    this.turn = new Turn(snapshot.turn_seconds);
    for (const call of deferred_calls) this.turn.callBegan(call);
    this.settleTurn(this.lastActivityAt);
  }

  get end(): PendingEnd | null {
    return this.ending;
  }

  get startedAt(): number | null {
    return this.view.started_at;
  }

  current(): JobView {
    return { ...this.view };
  }

  /** `run` it, `refuse` it because the job is ending, or `ignore` it because it came before. */
  admit(call: JobCall, now: number): 'run' | 'refuse' | 'ignore' {
    const { call_id, model_group } = call;
    if (this.unfinishedCalls.has(call_id) || this.recentCallIds.has(call_id)) return 'ignore';
    if (this.ending) {
      this.addRecentCall(call_id);
      return 'refuse';
    }
    this.unfinishedCalls.set(call_id, model_group);
    this.turn.callBegan(call);
    if (canBecome(this.view.status, 'in_progress')) {
      this.view.status = 'in_progress';
      this.view.started_at = now;
    }
    if (model_group !== null && !this.view.model_groups_used.includes(model_group)) {
      this.view.model_groups_used = [...this.view.model_groups_used, model_group];
    }
    this.touch(now);
    return 'run';
  }

  updateMetadata(commandId: string, patch: Metadata, now: number): CommandDecision {
    return this.decide(commandId, () => {
      if (this.ending) return finished(this.ending);
      const merged = mergeMetadata(this.view.metadata, patch);
      if (!merged) return tooLarge;
      this.view.metadata = merged;
      this.touch(now);
      this.metadataUpdates.set(commandId, { metadata: merged, updated_at: this.view.updated_at });
      evictOldest(this.metadataUpdates, maxMetadataUpdates);
      return accepted;
    });
  }

  /**
   * Closes the job to new calls. Repeating the same end is accepted, a different end is refused. The metadata become the job's
   * when it is settled: until then a cancel may override the completion.
   */
  complete(commandId: string, ending: PendingEnd, patch: Metadata | null, now: number): CommandDecision {
    return this.decide(commandId, () => this.decideEnding(ending, patch, now));
  }

  /** A job that is being completed can be cancelled until it is settled. `mayOverride` is called only in that case. */
  cancel({ command_id, reason, sealed_end }: CancelSignal, now: number, mayOverride: () => boolean): CommandDecision {
    return this.decide(command_id, () => {
      const isCompleting = this.ending !== null && this.mayBeOverridden(this.ending);
      if (isCompleting && mayOverride()) this.ending = null;
      const ended_by = command_id === operatorCancellation.command_id ? 'operator' : 'client';
      const ending: PendingEnd = { status: 'cancelled', error_message: null, cancel_reason: reason, ended_by };
      return this.decideEnding(sealed_end ? { ...ending, sealed_end } : ending, null, now);
    });
  }

  /** From here on no cancel can override the end. Until `markSettled`, queries return the job without the end's metadata. */
  startSettling(): Required<Pick<PendingEnd, 'metadata'>> & PendingEnd {
    this.isSettling = true;
    return { metadata: this.view.metadata, ...this.ending! };
  }

  markSettled(status: FinalJobStatus): void {
    this.view.status = status;
    if (this.ending?.status === status && this.ending.metadata) this.view.metadata = this.ending.metadata;
  }

  /** The deadline is over, as the record says. A completion that waits for its calls is overridden. False: the job is ending already. */
  exceedDeadline(): boolean {
    if (this.ending && !this.mayBeOverridden(this.ending)) return false;
    this.ending = failure(jobDeadlineExceeded, 'deadline');
    return true;
  }

  /** The job was idle for too long. Its client did not complete it: that of a task may not be able to. */
  timeOut(): void {
    this.ending ??= this.job.for_task && this.isAnswered ? completion('idle') : failure(jobTimedOut, 'idle');
  }

  /** No call has followed the last one of the turn for long enough. */
  endTurn(): void {
    this.ending ??= completion('call');
  }

  /** Whether the job ends with this call, however that ends or when it succeeds. */
  mayEndJob(call: JobCall): boolean {
    return mayEndJob(this.endBy(call));
  }

  /** A call that was retracted before a worker started it does not count as a call of the job. */
  callEnded(call: JobCall, ended: CallUpstreamResult, now: number): void {
    const { call_id, model_group } = call;
    const { error, retracted, has_tool_calls: hasToolCalls = false } = ended;
    this.unfinishedCalls.delete(call_id);
    if (retracted) this.revertCall(model_group);
    else this.groupsOfEndedCalls.add(model_group);
    this.addRecentCall(call_id);
    this.touch(now);
    const succeeded = error === null;
    if (!retracted) this.isAnswered = succeeded && !hasToolCalls;
    this.turn.callEnded(call, retracted);
    this.settleTurn(now);
    const endBy = this.endBy(call);
    if (!endsJob(endBy, { succeeded, hasToolCalls })) return;
    if (endBy.isSingleCall && ended.is_unshown) this.ending ??= cancelledWithCall;
    else this.ending ??= succeeded ? completion('call') : failure(error, 'call');
  }

  /** Null: the command is unknown, or 1,000 later ones have evicted it. */
  decisionOn(commandId: string): CommandDecision | null {
    const decision = this.decisions.get(commandId);
    return decision ? this.withMetadata(commandId, decision) : null;
  }

  /** The ids of the latest accepted commands. */
  acceptedCommands(): string[] {
    return this.decisions.accepted();
  }

  /** The metadata after the latest updates, for clients that have no answer yet when the job ends. */
  recentMetadataUpdates(now: number): Record<string, MetadataVersion> {
    let room = metadataUpdatesInResult.characters;
    const latest = [...this.metadataUpdates].reverse().filter(([, { metadata, updated_at }]) => {
      if (updated_at <= now - metadataUpdatesInResult.withinMs) return false;
      room -= JSON.stringify(metadata).length;
      return room >= 0;
    });
    return Object.fromEntries(latest);
  }

  /** Stores an admitted call for the next run, or until this run starts it after all. */
  defer(call: JobCall): void {
    this.deferredCalls.push(call);
  }

  takeDeferred(): JobCall[] {
    const taken = this.deferredCalls;
    this.deferredCalls = [];
    return taken;
  }

  get hasDeferred(): boolean {
    return this.deferredCalls.length > 0;
  }

  snapshot(): JobSnapshot {
    return {
      ...this.begun,
      job: this.job,
      view: this.view,
      ending: this.ending,
      deferred_calls: this.deferredCalls,
      recent_call_ids: [...this.recentCallIds],
      decisions: this.decisions.entries(),
      last_activity_at: this.lastActivityAt,
      is_answered: this.isAnswered,
      turn_seconds: this.turn.seconds,
      // Absent in a job without a deadline, whose input is what it was before there were deadlines.
      cutoff_at: this.cutoffAt ?? undefined,
    };
  }

  /** A completion can be overridden until it is settled; a cancel, a deadline and the end of a lost workflow cannot. */
  private mayBeOverridden({ status, ended_by }: PendingEnd): boolean {
    return !this.isSettling && status !== 'cancelled' && ended_by !== 'deadline' && ended_by !== 'service';
  }

  /** `since`: when the last call has ended. */
  private settleTurn(since: number): void {
    if (this.isAnswered && this.unfinishedCalls.size === 0) this.turn.settleSince(since);
  }

  private endBy({ opens_job, end_job }: JobCall): EndByCall {
    return { isSingleCall: this.job.single_call && opens_job === true, jobEnd: end_job };
  }

  /** Undoes what the call changed in the job, unless another call has changed the same. */
  private revertCall(group: string | null): void {
    const groups = new Set([...this.groupsOfEndedCalls, ...this.unfinishedCalls.values()]);
    if (!groups.has(group)) this.view.model_groups_used = this.view.model_groups_used.filter((used) => used !== group);
    if (groups.size > 0) return;
    this.view.status = 'pending';
    this.view.started_at = null;
  }

  private decide(commandId: string, decide: () => Decision): CommandDecision {
    return this.withMetadata(commandId, this.decisions.once(commandId, decide));
  }

  private withMetadata(commandId: string, decision: Decision): CommandDecision {
    const { metadata, updated_at } = this.metadataUpdates.get(commandId) ?? this.view;
    return decision.accepted ? { accepted: true, metadata, updated_at } : decision;
  }

  private decideEnding(ending: PendingEnd, patch: Metadata | null, now: number): Decision {
    if (this.ending?.status === ending.status) return accepted;
    if (this.ending) return finished(this.ending);
    const merged = patch && mergeMetadata(this.view.metadata, patch);
    if (patch && !merged) return tooLarge;
    this.ending = merged ? { ...ending, metadata: merged } : ending;
    this.touch(now);
    return accepted;
  }

  private touch(now: number): void {
    this.lastActivityAt = now;
    // The time always grows, so that of two changes in one millisecond the second is the newer.
    this.view.updated_at = Math.max(now, this.view.updated_at + 1);
  }

  private addRecentCall(callId: string): void {
    this.recentCallIds.add(callId);
    evictOldest(this.recentCallIds, maxRecentCalls);
  }
}
