/** So many groups have a colour of their own: more are not told apart. */
export const colouredGroups = 8;

/** The colour of the group at this place, the largest first. */
export const groupColor = (place: number): string =>
  place < colouredGroups ? `var(--group-${place + 1})` : 'var(--group-other)';

export const otherColor = 'var(--group-other)';
