/** `read`, executed once for all who ask while it runs and for `ms` after it has ended, also when it failed. */
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
