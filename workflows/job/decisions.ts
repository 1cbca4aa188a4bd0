import type { Decision } from '../contract/messages.ts';
import { evictOldest } from './evict-oldest.ts';

/** A client queries the decision as soon as it has sent its command, and this many commands may arrive at once. */
const maxDecisions = 1_000;
/** How many accepted commands the result of a job lists, for clients that query a decision only after its end. */
const maxAcceptedInResult = 500;

/** The decisions on a job's latest commands, by command id: a repeated command is not decided again. */
export class Decisions {
  private readonly byCommand: Map<string, Decision>;

  constructor(decisions: [string, Decision][]) {
    this.byCommand = new Map(decisions);
  }

  /** Calls `decide` once for each command id. */
  once(commandId: string, decide: () => Decision): Decision {
    const previous = this.byCommand.get(commandId);
    if (previous) return previous;
    const decision = decide();
    this.byCommand.set(commandId, decision);
    evictOldest(this.byCommand, maxDecisions);
    return decision;
  }

  /** Undefined: the command is unknown, or 1,000 later ones have evicted it. */
  get(commandId: string): Decision | undefined {
    return this.byCommand.get(commandId);
  }

  /** The ids of the latest accepted commands. */
  accepted(): string[] {
    const accepted = [...this.byCommand].filter(([, decision]) => decision.accepted);
    return accepted.slice(-maxAcceptedInResult).map(([commandId]) => commandId);
  }

  entries(): [string, Decision][] {
    return [...this.byCommand];
  }
}
