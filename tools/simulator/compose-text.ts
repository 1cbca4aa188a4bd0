import { createHash } from 'node:crypto';

/** Short words only: each is one token by the rule of count-tokens.ts. */
const vocabulary =
  'the a small river turns under old stone bridge while light falls over quiet fields and every road leads home where people talk of work rain bread time and many plain things that last long after noon'.split(
    ' ',
  );

/** A stable number from a text: the same request always gets the same answer, in this process and the next. */
export const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A text of so many words, the same ones for the same seed. */
export function composeText(seed: Buffer, tokens: number): string {
  let state = seed.readUInt32LE(0);
  const words: string[] = [];
  for (let index = 0; index < tokens; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    words.push(vocabulary[(state >>> 8) % vocabulary.length] ?? 'the');
  }
  return words.join(' ');
}
