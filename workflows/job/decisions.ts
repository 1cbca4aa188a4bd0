import type { JobEnd } from '../../src/domain/job-state.ts';
import { evictOldest } from './evict-oldest.ts';

export type Refused =
  | { accepted: false; because: 'job_finished'; status: JobEnd }
  | { accepted: false; because: 'metadata_too_large' };

/** What was decided on a command to a job. */
export type Decision = { accepted: true } | Refused;

/** A verdict is asked for as soon as its command was sent, and this many commands may arrive at once. */
const remembered = 1_000;
/** How many accepted commands the result of a job lists, for verdicts that are asked for only after its end. */
const acceptedLately = 500;

/** The decisions on a job's latest commands, by command id: a repeated command is not decided again. */
export class Decisions {
  private readonly byCommand: Map<string, Decision>;

  constructor(decisions: [string, Decision][]) {
    this.byCommand = new Map(decisions);
  }

  /** Calls `decide` once for each command id. */
  once(commandId: string, decide: () => Decision): Decision {
    const known = this.byCommand.get(commandId);
    if (known) return known;
    const decision = decide();
    this.byCommand.set(commandId, decision);
    evictOldest(this.byCommand, remembered);
    return decision;
  }

  /** Undefined: the command is unknown, or was forgotten after 1,000 later ones. */
  on(commandId: string): Decision | undefined {
    return this.byCommand.get(commandId);
  }

  /** The ids of the latest accepted commands. */
  acceptedLately(): string[] {
    const accepted = [...this.byCommand].filter(([, decision]) => decision.accepted);
    return accepted.slice(-acceptedLately).map(([commandId]) => commandId);
  }

  all(): [string, Decision][] {
    return [...this.byCommand];
  }
}
