const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same text for two bodies of equal content, whatever their order and spaces. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value ?? null, (_key, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
