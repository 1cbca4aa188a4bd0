/** What a key of 32 random hexadecimal digits has is 117 bits by this measure, and less than 86 in one of a million. */
const minBits = 80;

/** Of 32 hexadecimal digits many lack one of the 16: for them the bits decide. */
const minDistinct = 16;
const hexadecimal = /^([\da-f]+|[\dA-F]+)$/;

/** The length of a sequence times the entropy of its values: an upper bound of what a guess has to find. */
function bitsOf(values: readonly unknown[]): number {
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / values.length);
  return bits;
}

/** From each character to the next one. Those of `abcdef…`, `zyxw…` and `acegik…` are nearly all the same. */
const steps = (text: string): number[] =>
  Array.from(text.slice(1), (character, index) => character.charCodeAt(0) - text.charCodeAt(index));

/** `abcabcabcab`: from some index in its first half on, the text begins again. */
function isRepeated(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period += 1)
    if (text.slice(period) === text.slice(0, -period)) return true;
  return false;
}

/**
 * False for a key that its owner has typed and not drawn: few different characters, a sequence of them, or a short text that is
 * repeated. Of 32 random hexadecimal digits many lack one of the 16, and one in a million has less than 86 bits. `spec 13.2`
 */
export const looksRandom = (text: string): boolean =>
  (new Set(text).size >= minDistinct || hexadecimal.test(text)) &&
  bitsOf([...text]) >= minBits &&
  bitsOf(steps(text)) >= minBits &&
  !isRepeated(text);
