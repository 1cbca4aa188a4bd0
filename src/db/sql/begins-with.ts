import type { Values } from './statement.ts';

/** No text that begins with `x` is bytewise after `x` and this character. */
const lastCharacter = '\u{10ffff}';

/** Whether a column begins with a text, bytewise: by an index with `text_pattern_ops`. Its values: `beginsWithValues`. */
export const beginsWith = (column: string, parameter: string): string =>
  `(${column} ~>=~ :${parameter}::text and ${column} ~<=~ :last_${parameter}::text)`;

export const beginsWithValues = (parameter: string, text: string): Values => ({
  [parameter]: text,
  [`last_${parameter}`]: text + lastCharacter,
});
