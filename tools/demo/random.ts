/** Numbers that are the same for the same seed, so that a demo can be compared with another. */
export interface Random {
  /** A number from 0 to less than 1. */
  next(): number;
  /** A number about `mean`, between half and one and a half of it. */
  around(mean: number): number;
  isOneIn(count: number): boolean;
  pick<T>(from: readonly T[]): T;
  pickByWeight<T extends { weight: number }>(from: readonly T[]): T;
  uuid(): string;
}

/** The generator "mulberry32". */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const hex = (digits: number) =>
    Math.floor(next() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  return {
    next,
    around: (mean) => Math.round(mean * (0.5 + next())),
    isOneIn: (count) => next() < 1 / count,
    pick: (from) => from[Math.floor(next() * from.length)]!,
    pickByWeight(from) {
      let left = next() * from.reduce((sum, { weight }) => sum + weight, 0);
      for (const one of from) {
        left -= one.weight;
        if (left < 0) return one;
      }
      return from.at(-1)!;
    },
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(6)}${hex(6)}`,
  };
}
