/** Removes the oldest entries until at most `max` are left: maps and sets iterate in the order of insertion. */
export function evictOldest(entries: Map<unknown, unknown> | Set<unknown>, max: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(key);
  }
}
