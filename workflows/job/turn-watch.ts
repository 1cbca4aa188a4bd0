import { type CancellationScope, condition, patched } from '@temporalio/workflow';
import type { JobState } from './job-workflow-state.ts';

/** Ends a job when its turn is over. One timer, which the next call cancels: `docs/decisions/0117-a-turn-ends-by-a-timer-of-its-job.md`. */
export class TurnWatch {
  private readonly state: JobState;
  private isRunning = false;

  constructor(state: JobState) {
    this.state = state;
  }

  /**
   * A run whose turn an older worker has not watched has no timer of it in its history: there the end of the next call begins the
   * watch.
   */
  begin(scope: CancellationScope): void {
    if (this.isRunning || this.state.turn.endsAt === null || this.state.end || !patched('turn')) return;
    this.isRunning = true;
    void scope
      .run(() => this.untilOver())
      .finally(() => {
        this.isRunning = false;
      });
  }

  /** Resolves when the turn is over, or goes on with another call. */
  private async untilOver(): Promise<void> {
    const { turn } = this.state;
    while (turn.endsAt !== null) {
      const { endsAt } = turn;
      const isChanged = () => turn.endsAt !== endsAt;
      // A call that came together with the timer has been admitted before.
      if (await condition(isChanged, Math.max(endsAt - Date.now(), 1))) continue;
      if (!isChanged()) return this.state.endTurn();
    }
  }
}
