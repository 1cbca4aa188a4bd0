export interface BarGroup {
  key: string;
  label: string;
  color: string;
}

export interface BarPoint {
  /** When its bucket begins. */
  at: string;
  /** A value for each group, in their order; null where nothing is known yet. */
  values: readonly (number | null)[];
  /** All groups together. */
  total: number | null;
  /** What the period before had at this place. */
  previous?: number | null | undefined;
  /** Why it is not a whole bucket. */
  partial?: string | undefined;
}

/** A part of a bar, from one value to another. `place`: that of its group. */
export interface Part {
  place: number;
  from: number;
  to: number;
}

/** The parts of a bar, from the axis on: what is above zero upwards, what is below it downwards. What is zero or not known has none. */
export function stackOf(values: readonly (number | null)[]): Part[] {
  const ends = { up: 0, down: 0 };
  return values.flatMap((value, place) => {
    if (!value) return [];
    const side = value > 0 ? 'up' : 'down';
    const from = ends[side];
    ends[side] += value;
    return [{ place, from, to: ends[side] }];
  });
}
