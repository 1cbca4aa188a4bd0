/** `read`, executed once for all callers while it runs and for `ms` after it has ended, also when it failed. */
export function cachedFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined;
  const expire = () => {
    cached = undefined;
  };
  return () => {
    cached ??= read().finally(() => setTimeout(expire, ms).unref());
    return cached;
  };
}

/** The same for each key: `read` of the first caller serves all callers with the key. */
export type CachedByKey = <T>(key: string, read: () => Promise<T>) => Promise<T>;

/** Keys are made of what clients request. Beyond so many the oldest is deleted. */
const maxKeys = 1_000;

export function cachedByKey(ms: number): CachedByKey {
  const cached = new Map<string, Promise<unknown>>();
  return <T>(key: string, read: () => Promise<T>) => {
    const found = cached.get(key) as Promise<T> | undefined;
    if (found) return found;
    const expire = () => {
      if (cached.get(key) === reading) cached.delete(key);
    };
    const reading = read().finally(() => setTimeout(expire, ms).unref());
    cached.set(key, reading);
    if (cached.size > maxKeys) cached.delete(cached.keys().next().value!);
    return reading;
  };
}
