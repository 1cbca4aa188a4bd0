/** A member of a group before its rank is known. */
export interface UnrankedMember {
  priority?: number | null;
}

export interface Rank {
  /** 0 is the primary model, 1 the first fallback. */
  priority: number;
  /** Decides among equal priorities. */
  position: number;
}

/**
 * The members in the order in which they are tried. Without a priority, a member's place in the list is its priority.
 * `spec 7.8`
 */
export const rankMembers = <Member extends UnrankedMember>(members: readonly Member[]): (Member & Rank)[] =>
  members
    .map((member, position) => ({ ...member, priority: member.priority ?? position, position }))
    .sort((one, other) => one.priority - other.priority);

/** The same model is not tried twice. */
export const withoutPrimary = (fallbacks: readonly string[], primary: string): string[] =>
  fallbacks.filter((model) => model !== primary);
