/** Runs a few works at a time for each key, in the order in which they came. */
export type WaitingLines = <T>(key: string, work: () => Promise<T>) => Promise<T>;

interface Line {
  running: number;
  waiting: (() => void)[];
}

export function createWaitingLines(atOnce: number): WaitingLines {
  const lines = new Map<string, Line>();

  const enter = async (key: string): Promise<Line> => {
    const line = lines.get(key) ?? { running: 0, waiting: [] };
    lines.set(key, line);
    if (line.running < atOnce) line.running += 1;
    else await new Promise<void>((called) => line.waiting.push(called));
    return line;
  };

  const leave = (key: string, line: Line): void => {
    const next = line.waiting.shift();
    if (next) next();
    else line.running -= 1;
    if (line.running === 0) lines.delete(key);
  };

  return async (key, work) => {
    const line = await enter(key);
    try {
      return await work();
    } finally {
      leave(key, line);
    }
  };
}
