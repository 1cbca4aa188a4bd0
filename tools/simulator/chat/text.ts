import { createHash } from 'node:crypto';

/** The words are short: each is one token by the rule of `splitTokens`. */
const vocabulary =
  'the a small river turns under old stone bridge while light falls over quiet fields and every road leads home where people talk of work rain bread time and many plain things that last long after noon'.split(
    ' ',
  );

/** A hash: the same request always gets the same answer, in every process. */
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

/** A token is up to six characters and the blanks before them. Not a real tokenizer, but a rule that can be applied by hand in a test. */
export const splitTokens = (text: string): string[] => text.match(/\s*\S{1,6}|\s+$/gu) ?? [];

export const countTokens = (text: string): number => splitTokens(text).length;

export type Message = { role: string; content?: unknown; [field: string]: unknown };

/** Text of a message, whether its content is a string or an array of parts. */
export function messageText({ content }: Message): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? part.text : '')).join('');
}

/** Counts as chat models do: three tokens around every message, and three that start the answer. */
export const countPromptTokens = (messages: Message[]): number =>
  messages.reduce((sum, message) => sum + 3 + countTokens(messageText(message)), 3);
