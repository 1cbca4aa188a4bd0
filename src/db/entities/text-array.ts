import { ArrayType, p } from '@mikro-orm/core';

/** Every text in quotes: without them PostgreSQL takes `NULL` for no text at all, and drops blanks at an end. */
class TextArray extends ArrayType<string> {
  override convertToDatabaseValue(texts: string[]): string {
    return `{${texts.map(quoted).join(',')}}`;
  }
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

export const textArray = () => p.type(TextArray).$type<string[]>().columnType('text[]');
