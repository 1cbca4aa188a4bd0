/** Each text in quotes: otherwise PostgreSQL reads `NULL` as no text at all, and drops blanks at the ends. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** An array as PostgreSQL reads it from a text, where the ORM would write a list. */
export const arrayLiteral = (texts: readonly string[]): string => `{${texts.map(quoted).join(',')}}`;
