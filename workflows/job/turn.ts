import type { JobCall } from '../contract/messages.ts';

/**
 * When the turn of a job is over: the call that ended last has an answer without tool calls, none runs, and none has begun for as many
 * seconds as the newest call wants that wants any. Times are milliseconds since the epoch. `spec 27.3`
 */
export class Turn {
  /** When the turn is over if no call begins. Null: there is no turn, or it is not at its end. */
  endsAt: number | null = null;
  private wanted: { seconds: number; position: number } | null;
  /** The positions of calls that want seconds and have not ended. A call that is retracted counts for nothing. */
  private readonly positions = new Map<string, number>();
  private newestPosition = 0;

  /** `seconds`: what the calls of an earlier run want. */
  constructor(seconds: number | undefined) {
    this.wanted = seconds ? { seconds, position: 0 } : null;
  }

  /** What the calls want that have ended; undefined: none wants any. */
  get seconds(): number | undefined {
    return this.wanted?.seconds;
  }

  callBegan({ call_id, turn_seconds }: JobCall): void {
    this.endsAt = null;
    if (turn_seconds) this.positions.set(call_id, ++this.newestPosition);
  }

  callEnded({ call_id, turn_seconds: seconds }: JobCall, retracted = false): void {
    const position = this.positions.get(call_id);
    this.positions.delete(call_id);
    if (retracted || !seconds || position === undefined) return;
    if (!this.wanted || position > this.wanted.position) this.wanted = { seconds, position };
  }

  /** No call runs since then, and the last one has an answer without tool calls. */
  settleSince(time: number): void {
    if (this.wanted) this.endsAt = time + this.wanted.seconds * 1_000;
  }
}
