/** The value that a reference like `#/a/b~1c` has in `root`; undefined if there is none. RFC 6901. */
function follow(root: unknown, reference: string): unknown {
  const steps = reference.slice(1).split('/').slice(1);
  return steps.reduce<unknown>((value, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }, root);
}

/** The values to which the local references anywhere in `schema` refer. */
function* targetsIn(schema: unknown, root: unknown): Generator<unknown> {
  const pending = [schema];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    const reference = (value as { $ref?: unknown }).$ref;
    if (typeof reference === 'string' && reference.startsWith('#')) yield follow(root, reference);
    for (const inner of Object.values(value)) pending.push(inner);
  }
}

/**
 * Whether a local `$ref` refers, directly or through others, to itself: an upstream that expands it would never finish. Visits each
 * target once and without recursion, because a client's schema may be a chain of thousands of references.
 */
export function hasCyclicReference(root: unknown): boolean {
  const path = [{ target: root, leadsTo: targetsIn(root, root) }];
  const onPath = new Set([root]);
  const settled = new Set<unknown>();
  for (let last = path.at(-1); last; last = path.at(-1)) {
    const { value: target, done } = last.leadsTo.next();
    if (done) {
      path.pop();
      onPath.delete(last.target);
      settled.add(last.target);
    } else if (onPath.has(target)) {
      return true;
    } else if (!settled.has(target)) {
      path.push({ target, leadsTo: targetsIn(target, root) });
      onPath.add(target);
    }
  }
  return false;
}
