/** Where `#/a/b~1c` leads in `root`; undefined when nowhere. RFC 6901. */
function follow(root: unknown, reference: string): unknown {
  const steps = reference.slice(1).split('/').slice(1);
  return steps.reduce<unknown>((value, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }, root);
}

/** Does a local `$ref` lead, through whatever else, back to itself? An upstream that expands it would never end. */
export function hasCyclicReference(root: unknown): boolean {
  const settled = new Set<string>();
  const visit = (value: unknown, path: readonly string[]): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    const reference = (value as { $ref?: unknown }).$ref;
    if (typeof reference === 'string' && reference.startsWith('#') && !settled.has(reference)) {
      if (path.includes(reference) || reference === '#') return true;
      if (visit(follow(root, reference), [...path, reference])) return true;
      settled.add(reference);
    }
    return Object.values(value).some((inner) => visit(inner, path));
  };
  return visit(root, []);
}
