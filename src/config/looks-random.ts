/** What a key of 32 random hexadecimal digits has is 117 bits by this measure, and less than 86 in one of a million. */
const minBits = 80;

/** The length of the text times the entropy of its characters: an upper bound of what a guess has to find. */
function bitsOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
  return bits;
}

/** `abcabcabcab`: from some index in its first half on, the text begins again. */
function isRepeated(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period += 1)
    if (text.slice(period) === text.slice(0, -period)) return true;
  return false;
}

/**
 * False for a key that its owner has typed and not drawn: few different characters, or a short text that is repeated. A number of
 * different characters would not do: of 64 random hexadecimal digits, of which there are 16, a quarter lacks one.
 */
export const looksRandom = (text: string): boolean => bitsOf(text) >= minBits && !isRepeated(text);
