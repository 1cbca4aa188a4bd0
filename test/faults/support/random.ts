import { createHash } from 'node:crypto';

/** Always the same sequence for a seed: what is random in a run can be had again with `--seed=<the seed it printed>`. */
export interface Random {
  /** 0 ≤ n < 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(all: readonly T[]): T;
  /** So many of them, none twice. */
  some<T>(all: readonly T[], count: number): T[];
}

/** `name` gives each of several users of one seed a sequence of its own. */
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
        .map((one) => ({ one, place: next() }))
        .sort((a, b) => a.place - b.place)
        .slice(0, count)
        .map(({ one }) => one),
  };
}
