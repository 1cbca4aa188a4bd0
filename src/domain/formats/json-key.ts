/** The value of a key of an object; undefined for any other value, and for what the object inherits. */
export const ownKey = (object: unknown, key: string): unknown =>
  typeof object === 'object' && object !== null && Object.hasOwn(object, key)
    ? (object as Record<string, unknown>)[key]
    : undefined;

/** The value of a key in the JSON text of an object; undefined for any other value, and for a text without the key. */
export function keyOfJson(text: unknown, key: string): unknown {
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return undefined;
  try {
    return ownKey(JSON.parse(text), key);
  } catch {
    return undefined;
  }
}
