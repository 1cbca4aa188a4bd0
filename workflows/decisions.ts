import type { JobEnd } from '../src/domain/job.ts';

export type Refused =
  | { accepted: false; because: 'job_finished'; status: JobEnd }
  | { accepted: false; because: 'metadata_too_large' };

/** What was decided on a command to a job. */
export type Decision = { accepted: true } | Refused;

/** Each is asked for as soon as its command was sent: as many can come at once. */
const remembered = 1_000;
/** As many commands can have been accepted between a question for a verdict and the end of the job. */
const acceptedLately = 500;

/** What was decided on a job's last commands, by their ids: one that comes again is not decided again. */
export class Decisions {
  private readonly byCommand: Map<string, Decision>;

  constructor(decisions: [string, Decision][]) {
    this.byCommand = new Map(decisions);
  }

  /** `decide` is asked once a command. */
  once(commandId: string, decide: () => Decision): Decision {
    const known = this.byCommand.get(commandId);
    if (known) return known;
    const decision = decide();
    this.byCommand.set(commandId, decision);
    if (this.byCommand.size > remembered) this.byCommand.delete(this.byCommand.keys().next().value!);
    return decision;
  }

  /** Undefined: never heard of, or so many commands ago that nobody asks. */
  on(commandId: string): Decision | undefined {
    return this.byCommand.get(commandId);
  }

  /** The last of the commands that were accepted, by their ids. */
  acceptedLately(): string[] {
    const accepted = [...this.byCommand].filter(([, decision]) => decision.accepted);
    return accepted.slice(-acceptedLately).map(([commandId]) => commandId);
  }

  all(): [string, Decision][] {
    return [...this.byCommand];
  }
}
