interface Visit {
  order: number;
  /** The earliest file on the way that this one leads back to. */
  lowest: number;
}

/** The groups of files that need each other by way of what they import: the strongly connected components (Tarjan) of two and more. */
export function findCycles(importsOf: ReadonlyMap<string, readonly string[]>): string[][] {
  const visits = new Map<string, Visit>();
  const way: string[] = [];
  const onWay = new Set<string>();
  const cycles: string[][] = [];

  function visit(path: string): Visit {
    const own = { order: visits.size, lowest: visits.size };
    visits.set(path, own);
    way.push(path);
    onWay.add(path);
    for (const next of importsOf.get(path) ?? []) {
      const earlier = visits.get(next);
      if (earlier && onWay.has(next)) own.lowest = Math.min(own.lowest, earlier.order);
      if (!earlier && importsOf.has(next)) own.lowest = Math.min(own.lowest, visit(next).lowest);
    }
    if (own.lowest === own.order) closeGroup(path);
    return own;
  }

  function closeGroup(first: string): void {
    const group = way.splice(way.indexOf(first));
    for (const path of group) onWay.delete(path);
    if (group.length > 1) cycles.push(group.sort());
  }

  for (const path of importsOf.keys()) if (!visits.has(path)) visit(path);
  return cycles;
}
