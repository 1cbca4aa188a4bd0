import type { CallUpstreamResult } from '../../activities/call-upstream/call-upstream.ts';
import { canBecome, type JobEnd, type JobStatus, jobTimedOut } from '../../src/domain/job-state.ts';
import { type Metadata, mergeMetadata, type UpdatedMetadata } from '../../src/domain/metadata.ts';
import type { CancelSignal } from '../contract/messages.ts';
import { type Decision, Decisions, type Refused } from './decisions.ts';
import { evictOldest } from './evict-oldest.ts';

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

/** How the job is to end once the calls in flight have ended. */
export interface Ending {
  status: JobEnd;
  error_message: string | null;
  cancel_reason: string | null;
  /** Set when an admin cancelled the job. */
  audit_entry?: string;
  /** The job's metadata from then on. Absent: they stay as they are. */
  metadata?: Metadata;
}

/** The decision on a command, with the metadata that an accepted update made, or else those of the job as they are now. */
export type Verdict = ({ accepted: true } & UpdatedMetadata) | Refused;

/**
 * All that a run hands to the next one. `version` says how a run behaves: since 2 it is kept short; since 3 it handles signals
 * in the order in which they came and writes records by activities; since 4 a single-call job ends with its own call, not with
 * the first one that ends.
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

/** A call as it is signalled to its job. */
export interface JobCall {
  call_id: string;
  /** Null for an alias: a direct model request uses no group. */
  model_group: string | null;
  /** The job is a single-call job and was created with this call. */
  opens_job?: boolean;
}

/** How many ended calls are remembered: a repeated signal comes soon after the first. PostgreSQL refuses later ones. */
const remembered = 500;

/** Up to 10 KB each: too much to hand to the next run. The answer to an update that is not remembered shows the metadata of now. */
const rememberedMerges = 100;
/** The result of a job, which is in its history for good, has only those that a client may still wait for, and three of the largest. */
const awaitedMerges = { withinMs: 10_000, characters: 32_768 };

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
  /** The model group of each call under way, by call id. */
  private readonly underWay: Map<string, string | null>;
  /** The groups of ended calls that were not retracted; null stands for an alias. */
  private readonly groupsOfEnded: Set<string | null>;
  private readonly seen: Set<string>;
  private readonly decisions: Decisions;
  /** What the latest updates of metadata made, by command id. */
  private readonly merges = new Map<string, UpdatedMetadata>();
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
      this.merges.set(commandId, { metadata: merged, updated_at: this.view.updated_at });
      evictOldest(this.merges, rememberedMerges);
      return accepted;
    });
  }

  /**
   * Closes the job to new calls. Repeating the same end is accepted, a different end is refused. The metadata become the job's
   * when it is settled: until then a cancel may overrule the completion.
   */
  complete(commandId: string, wanted: Ending, patch: Metadata | null, now: number): Verdict {
    return this.decide(commandId, () => this.close(wanted, patch, now));
  }

  /** A job that is being completed can still be cancelled until it is settled. `overrules` is asked only in that case. */
  cancel({ command_id, reason, audit_entry }: CancelSignal, now: number, overrules: () => boolean): Verdict {
    return this.decide(command_id, () => {
      const waits = this.ending !== null && this.ending.status !== 'cancelled' && !this.isSettling;
      if (waits && overrules()) this.ending = null;
      const ending: Ending = { status: 'cancelled', error_message: null, cancel_reason: reason };
      return this.close(audit_entry ? { ...ending, audit_entry } : ending, null, now);
    });
  }

  /** From here on no cancel can overrule the end. Until it is `settled`, the job is shown without the end's metadata. */
  startSettling(): Required<Pick<Ending, 'metadata'>> & Ending {
    this.isSettling = true;
    return { metadata: this.view.metadata, ...this.ending! };
  }

  timeOut(): void {
    this.ending ??= { status: 'failed', error_message: jobTimedOut, cancel_reason: null };
  }

  /** Whether the job ends as this call does. */
  endsWith({ opens_job }: JobCall): boolean {
    return this.job.single_call && (this.version < 4 || opens_job === true);
  }

  /** A call that was retracted before a worker began it does not count as a call of the job. */
  callEnded(call: JobCall, { error, retracted }: CallUpstreamResult, now: number): void {
    const { call_id, model_group } = call;
    this.underWay.delete(call_id);
    if (retracted) this.takeBack(model_group);
    else this.groupsOfEnded.add(model_group);
    this.remember(call_id);
    this.touch(now);
    if (!this.endsWith(call)) return;
    this.ending ??=
      error === null
        ? { status: 'completed', error_message: null, cancel_reason: null }
        : { status: 'failed', error_message: error, cancel_reason: null };
  }

  /** Null: the command is unknown, or was forgotten after 1,000 later ones. */
  verdictOn(commandId: string): Verdict | null {
    const decision = this.decisions.on(commandId);
    return decision ? this.verdict(commandId, decision) : null;
  }

  /** The ids of the latest accepted commands. */
  acceptedLately(): string[] {
    return this.decisions.acceptedLately();
  }

  /** What the latest updates made, for clients that have no answer yet when the job ends. */
  madeLately(now: number): Record<string, UpdatedMetadata> {
    let room = awaitedMerges.characters;
    const latest = [...this.merges].reverse().filter(([, { metadata, updated_at }]) => {
      if (updated_at <= now - awaitedMerges.withinMs) return false;
      room -= JSON.stringify(metadata).length;
      return room >= 0;
    });
    return Object.fromEntries(latest);
  }

  /** Keeps the call for the next run, or until it is clear that this run goes on. */
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
    this.view.status = status;
    if (this.ending?.status === status && this.ending.metadata) this.view.metadata = this.ending.metadata;
  }

  snapshot(): JobSnapshot {
    return {
      // A job begun as version 1 continues as version 2.
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

  /** Undoes what the call changed in the job, unless another call has changed the same. */
  private takeBack(group: string | null): void {
    const groups = new Set([...this.groupsOfEnded, ...this.underWay.values()]);
    if (!groups.has(group)) this.view.model_groups_used = this.view.model_groups_used.filter((used) => used !== group);
    if (groups.size > 0) return;
    this.view.status = 'pending';
    this.view.started_at = null;
  }

  private decide(commandId: string, decide: () => Decision): Verdict {
    return this.verdict(commandId, this.decisions.once(commandId, decide));
  }

  private verdict(commandId: string, decision: Decision): Verdict {
    const { metadata, updated_at } = this.merges.get(commandId) ?? this.view;
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
    // Always grows, so that of two changes in one millisecond the second is the newer.
    this.view.updated_at = Math.max(now, this.view.updated_at + 1);
  }

  private remember(callId: string): void {
    this.seen.add(callId);
    evictOldest(this.seen, remembered);
  }
}

/** The state of a job of which only its row is known. */
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
