interface Visit {
  order: number;
  /** The earliest file on the path that this one leads back to. */
  lowest: number;
}

/** The groups of files that import each other, directly or indirectly: the strongly connected components (Tarjan) of two and more. */
export function findCycles(importsOf: ReadonlyMap<string, readonly string[]>): string[][] {
  const visits = new Map<string, Visit>();
  const path: string[] = [];
  const onPath = new Set<string>();
  const cycles: string[][] = [];

  function visit(file: string): Visit {
    const own = { order: visits.size, lowest: visits.size };
    visits.set(file, own);
    path.push(file);
    onPath.add(file);
    for (const next of importsOf.get(file) ?? []) {
      const earlier = visits.get(next);
      if (earlier && onPath.has(next)) own.lowest = Math.min(own.lowest, earlier.order);
      if (!earlier && importsOf.has(next)) own.lowest = Math.min(own.lowest, visit(next).lowest);
    }
    if (own.lowest === own.order) closeGroup(file);
    return own;
  }

  function closeGroup(first: string): void {
    const group = path.splice(path.indexOf(first));
    for (const file of group) onPath.delete(file);
    if (group.length > 1) cycles.push(group.sort());
  }

  for (const file of importsOf.keys()) if (!visits.has(file)) visit(file);
  return cycles;
}
