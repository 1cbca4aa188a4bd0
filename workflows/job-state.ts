import type { CallUpstreamResult } from '../activities/calls.ts';
import { canBecome, isFinished, type JobEnd, type JobStatus, jobTimedOut } from '../src/domain/job.ts';
import { type Metadata, mergeMetadata } from '../src/domain/metadata.ts';
import { type Decision, Decisions, type Refused } from './decisions.ts';
import type { CancelSignal } from './messages.ts';

export interface JobIdentity {
  job_id: string;
  team_id: string;
  organization_id: string;
  job_type: string;
  /** A create-and-call job: it ends with the call that it was created with. */
  single_call: boolean;
}

/** Times are milliseconds since the epoch: a workflow's clock is an argument here. */
export interface JobView {
  status: JobStatus;
  started_at: number | null;
  model_groups_used: string[];
  metadata: Metadata;
  updated_at: number;
}

/** How the job shall end, once the calls in flight have. */
export interface Ending {
  status: JobEnd;
  error_message: string | null;
  cancel_reason: string | null;
  /** Of the admin who cancelled. */
  audit_entry?: string;
  /** The job's from then on. Absent: as it is. */
  metadata?: Metadata;
}

/** What was decided on a command, and what has become of the job since. */
export type Verdict = { accepted: true; metadata: Metadata; updated_at: number } | Refused;

/**
 * All that a run hands to the next one. `version` says how it works: since 2, runs are kept short; since 3, signals are heard in
 * the order in which they came, and records are kept by activities; since 4, a single-call job ends with its own call, not with
 * the first that ends.
 */
export interface JobSnapshot {
  version: 1 | 2 | 3 | 4;
  job: JobIdentity;
  view: JobView;
  ending: Ending | null;
  parked: JobCall[];
  seen: string[];
  verdicts: [string, Decision][];
  last_activity_at: number;
}

/** A call as its job is told of it. */
export interface JobCall {
  call_id: string;
  /** Null for an alias: a direct model request uses no group. */
  model_group: string | null;
  /** The job is a single-call job and was created with this call. */
  opens_job?: boolean;
}

/** A signal that comes twice comes soon: this many calls that have ended are remembered. PostgreSQL refuses the older ones. */
const remembered = 500;

const accepted = { accepted: true } as const;
const tooLarge = { accepted: false, because: 'metadata_too_large' } as const;
const finished = ({ status }: Ending) => ({ accepted: false, because: 'job_finished', status }) as const;

/** What a job's workflow knows and decides. No clock, no Temporal: the same calls give the same state. */
export class JobState {
  private readonly version: JobSnapshot['version'];
  readonly job: JobIdentity;
  private readonly view: JobView;
  private ending: Ending | null;
  private isSettling = false;
  private parked: JobCall[];
  /** The model group of each. */
  private readonly underWay: Map<string, string | null>;
  /** Those of calls that were not taken back; null is that of an alias. */
  private readonly groupsOfEnded: Set<string | null>;
  private readonly seen: Set<string>;
  private readonly decisions: Decisions;
  lastActivityAt: number;

  constructor(snapshot: JobSnapshot) {
    this.version = snapshot.version;
    this.job = snapshot.job;
    this.view = { ...snapshot.view };
    this.ending = snapshot.ending;
    this.parked = [...snapshot.parked];
    this.underWay = new Map(snapshot.parked.map(({ call_id, model_group }) => [call_id, model_group]));
    this.groupsOfEnded = new Set(snapshot.view.started_at === null ? [] : [null, ...snapshot.view.model_groups_used]);
    this.seen = new Set(snapshot.seen);
    this.decisions = new Decisions(snapshot.verdicts);
    this.lastActivityAt = snapshot.last_activity_at;
  }

  get end(): Ending | null {
    return this.ending;
  }

  get startedAt(): number | null {
    return this.view.started_at;
  }

  current(): JobView {
    return { ...this.view };
  }

  /** `run` it, `refuse` it because the door is closed, or `ignore` it because it came before. */
  admit(call: JobCall, now: number): 'run' | 'refuse' | 'ignore' {
    const { call_id, model_group } = call;
    if (this.underWay.has(call_id) || this.seen.has(call_id)) return 'ignore';
    if (this.ending) {
      this.remember(call_id);
      return 'refuse';
    }
    this.underWay.set(call_id, model_group);
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

  updateMetadata(commandId: string, patch: Metadata, now: number): Verdict {
    return this.decide(commandId, () => {
      if (this.ending) return finished(this.ending);
      const merged = mergeMetadata(this.view.metadata, patch);
      if (!merged) return tooLarge;
      this.view.metadata = merged;
      this.touch(now);
      return accepted;
    });
  }

  /**
   * Closes the door to new calls. The same end again is the same end; another one is refused. Its metadata become the job's when
   * it is settled: until then a cancel may overrule it.
   */
  complete(commandId: string, wanted: Ending, patch: Metadata | null, now: number): Verdict {
    return this.decide(commandId, () => this.close(wanted, patch, now));
  }

  /** Also what is being completed and waits for its calls: until it is settled it has not ended. `overrules` is asked only then. */
  cancel({ command_id, reason, audit_entry }: CancelSignal, now: number, overrules: () => boolean): Verdict {
    return this.decide(command_id, () => {
      const waits = this.ending !== null && this.ending.status !== 'cancelled' && !this.isSettling;
      if (waits && overrules()) this.ending = null;
      const ending: Ending = { status: 'cancelled', error_message: null, cancel_reason: reason };
      return this.close(audit_entry ? { ...ending, audit_entry } : ending, null, now);
    });
  }

  /** From here on the end is what it is. */
  startSettling(): Ending {
    this.isSettling = true;
    const { metadata, ...ending } = this.ending!;
    if (metadata) this.view.metadata = metadata;
    return ending;
  }

  timeOut(): void {
    this.ending ??= { status: 'failed', error_message: jobTimedOut, cancel_reason: null };
  }

  /** Whether the job ends as this call does. */
  endsWith({ opens_job }: JobCall): boolean {
    return this.job.single_call && (this.version < 4 || opens_job === true);
  }

  /** One that was taken back before a worker had it is no call of the job. */
  callEnded(call: JobCall, { error, withdrawn }: CallUpstreamResult, now: number): void {
    const { call_id, model_group } = call;
    this.underWay.delete(call_id);
    if (withdrawn) this.takeBack(model_group);
    else this.groupsOfEnded.add(model_group);
    this.remember(call_id);
    this.touch(now);
    if (!this.endsWith(call)) return;
    this.ending ??=
      error === null
        ? { status: 'completed', error_message: null, cancel_reason: null }
        : { status: 'failed', error_message: error, cancel_reason: null };
  }

  /** Null: never heard of, or so many commands ago that nobody asks. */
  verdictOn(commandId: string): Verdict | null {
    const decision = this.decisions.on(commandId);
    return decision ? this.verdict(decision) : null;
  }

  /** The last of the commands that were accepted, by their ids. */
  acceptedLately(): string[] {
    return this.decisions.acceptedLately();
  }

  /** Kept for the next run, or until it is known that there will be none yet. */
  park(call: JobCall): void {
    this.parked.push(call);
  }

  takeParked(): JobCall[] {
    const taken = this.parked;
    this.parked = [];
    return taken;
  }

  get hasParked(): boolean {
    return this.parked.length > 0;
  }

  settled(status: JobEnd): void {
    if (!isFinished(this.view.status)) this.view.status = status;
  }

  snapshot(): JobSnapshot {
    return {
      // One that was begun as version 1 is continued as 2.
      version: this.version === 1 ? 2 : this.version,
      job: this.job,
      view: this.view,
      ending: this.ending,
      parked: this.parked,
      seen: [...this.seen],
      verdicts: this.decisions.all(),
      last_activity_at: this.lastActivityAt,
    };
  }

  /** What the call made of the job, unless another one has made as much of it. */
  private takeBack(group: string | null): void {
    const groups = new Set([...this.groupsOfEnded, ...this.underWay.values()]);
    if (!groups.has(group)) this.view.model_groups_used = this.view.model_groups_used.filter((used) => used !== group);
    if (groups.size > 0) return;
    this.view.status = 'pending';
    this.view.started_at = null;
  }

  private decide(commandId: string, decide: () => Decision): Verdict {
    return this.verdict(this.decisions.once(commandId, decide));
  }

  private verdict(decision: Decision): Verdict {
    const { metadata, updated_at } = this.view;
    return decision.accepted ? { accepted: true, metadata, updated_at } : decision;
  }

  private close(wanted: Ending, patch: Metadata | null, now: number): Decision {
    if (this.ending?.status === wanted.status) return accepted;
    if (this.ending) return finished(this.ending);
    const merged = patch && mergeMetadata(this.view.metadata, patch);
    if (patch && !merged) return tooLarge;
    this.ending = merged ? { ...wanted, metadata: merged } : wanted;
    this.touch(now);
    return accepted;
  }

  private touch(now: number): void {
    this.lastActivityAt = now;
    // Of two changes in one moment the second is the newer one.
    this.view.updated_at = Math.max(now, this.view.updated_at + 1);
  }

  private remember(callId: string): void {
    this.seen.add(callId);
    if (this.seen.size > remembered) this.seen.delete(this.seen.values().next().value!);
  }
}

/** The state of a job of which nothing is known but its row. */
export const newJobState = (job: JobIdentity, view: JobView): JobSnapshot => ({
  version: 4,
  job,
  view,
  ending: null,
  parked: [],
  seen: [],
  verdicts: [],
  last_activity_at: view.updated_at,
});
