/** Model groups are made by admins, and Prometheus keeps a series for each name that it has ever seen. */
const maxNames = 100;
const otherName = 'other';
/** A call of an alias has no group. */
const noName = '';

/** Returns the name itself for the first hundred different ones, and `other` for those after them. */
export function boundedNames(most = maxNames): (name: string | null) => string {
  const known = new Set<string>();
  return (name) => {
    if (name === null) return noName;
    if (known.size < most) known.add(name);
    return known.has(name) ? name : otherName;
  };
}
