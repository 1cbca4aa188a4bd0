/** Lets go of the oldest entries until `most` are left: maps and sets keep their entries in the order in which these came. */
export function evictOldest(entries: Map<unknown, unknown> | Set<unknown>, most: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(key);
  }
}
