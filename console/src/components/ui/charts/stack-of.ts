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
