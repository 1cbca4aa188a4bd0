import { ArrayType, p } from '@mikro-orm/core';

/** Puts every text in quotes: otherwise PostgreSQL reads `NULL` as no text at all, and drops blanks at the ends. */
class TextArray extends ArrayType<string> {
  override convertToDatabaseValue(texts: string[]): string {
    return `{${texts.map(quoted).join(',')}}`;
  }
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

export const textArray = () => p.type(TextArray).$type<string[]>().columnType('text[]');
