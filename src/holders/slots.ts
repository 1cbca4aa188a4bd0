import type { Holder } from './holder.ts';

/** Gives the place back. A second call does nothing. */
export type Leave = () => void;

/** Slots that are taken at once or not at all: nothing waits for one. */
export interface Slots {
  /** Undefined: the holder has `most` of them already. */
  take(holder: Holder, most: number): Leave | undefined;
}

export function createSlots(): Slots {
  const taken = new Map<Holder, number>();
  const add = (holder: Holder, change: 1 | -1): void => {
    const count = (taken.get(holder) ?? 0) + change;
    if (count === 0) taken.delete(holder);
    else taken.set(holder, count);
  };
  return {
    take(holder, most) {
      if ((taken.get(holder) ?? 0) >= most) return undefined;
      add(holder, 1);
      let isTaken = true;
      return () => {
        if (isTaken) add(holder, -1);
        isTaken = false;
      };
    },
  };
}
