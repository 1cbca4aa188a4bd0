import type { FrameReorder, Output } from './frame-reorder.ts';

/** Frames held for a slow reader. Frames dropped beyond that are read from Redis or the record. */
const heldFrames = 256;

/** Something that arrived, as a change of the state. */
type Arrival = (state: FrameReorder) => Output[];

/** What arrived for one reader and is not processed yet. */
export class FrameQueue {
  private readonly arrivals: Arrival[] = [];
  private wake: (() => void) | undefined;

  put(arrival: Arrival, { mayBeDropped = false } = {}): void {
    if (mayBeDropped && this.arrivals.length >= heldFrames) return;
    this.arrivals.push(arrival);
    this.wake?.();
  }

  /** The next arrival; undefined when nothing came for `waitMs`. */
  async take(waitMs: number): Promise<Arrival | undefined> {
    if (this.arrivals.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wake = undefined;
    }
    return this.arrivals.shift();
  }
}
