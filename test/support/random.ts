import { createHash } from 'node:crypto';

/** The same sequence for the same seed: `--seed=<the printed seed>` repeats the random choices of a run. */
export interface Random {
  /** A number 0 ≤ n < 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(all: readonly T[]): T;
  /** `count` of them, none twice. */
  some<T>(all: readonly T[], count: number): T[];
}

/** Each `name` has its own sequence for a seed. */
export function seededRandom(seed: number, name: string): Random {
  let turn = 0;
  const next = () => {
    const digest = createHash('sha256').update(`${seed} ${name} ${turn++}`).digest();
    return digest.readUInt32BE(0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    pick: (all) => all[between(0, all.length - 1)]!,
    some: (all, count) =>
      all
        .map((one) => ({ one, position: next() }))
        .sort((a, b) => a.position - b.position)
        .slice(0, count)
        .map(({ one }) => one),
  };
}
