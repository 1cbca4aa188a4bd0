/**
 * Runs for each key as much work at once as its line holds, in the order in which it came. A work weighs 1 unless another
 * weight is given.
 */
export type WaitingLines = <T>(key: string, work: () => Promise<T>, weight?: number) => Promise<T>;

interface Line {
  running: number;
  waiting: { weight: number; start: () => void }[];
}

export function createWaitingLines(atOnce: number): WaitingLines {
  const lines = new Map<string, Line>();

  const startWhatFits = (key: string, line: Line): void => {
    for (let first = line.waiting[0]; first && line.running + first.weight <= atOnce; first = line.waiting[0]) {
      line.waiting.shift();
      line.running += first.weight;
      first.start();
    }
    if (line.running === 0) lines.delete(key);
  };

  return async (key, work, givenWeight = 1) => {
    const weight = Math.min(givenWeight, atOnce);
    const line = lines.get(key) ?? { running: 0, waiting: [] };
    lines.set(key, line);
    await new Promise<void>((start) => {
      line.waiting.push({ weight, start });
      startWhatFits(key, line);
    });
    try {
      return await work();
    } finally {
      line.running -= weight;
      startWhatFits(key, line);
    }
  };
}
