/** A member of a model group without its rank. */
export interface UnrankedMember {
  priority?: number | null;
}

export interface Rank {
  /** 0 is the primary model, 1 the first fallback. */
  priority: number;
  /** Orders members of equal priority. */
  position: number;
}

/**
 * The members in the order in which they are tried. A member without a priority has its position in the list as its priority.
 * `spec 7.8`
 */
export const rankMembers = <Member extends UnrankedMember>(members: readonly Member[]): (Member & Rank)[] =>
  members
    .map((member, position) => ({ ...member, priority: member.priority ?? position, position }))
    .sort((one, other) => one.priority - other.priority);

/** The fallbacks without the primary model, so that it is not tried twice. */
export const withoutPrimary = (fallbacks: readonly string[], primary: string): string[] =>
  fallbacks.filter((model) => model !== primary);
