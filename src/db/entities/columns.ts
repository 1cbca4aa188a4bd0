import { ArrayType, p } from '@mikro-orm/core';
import { arrayLiteral } from '../sql/array-literal.ts';

const now = () => new Date();

export const createdAt = () => p.datetime(3).onCreate(now);
export const updatedAt = () => p.datetime(3).onCreate(now).onUpdate(now);

/** The columns that model groups, aliases and access groups have in common. `spec 7` */
export const described = () => ({
  display_name: p.text().nullable(),
  description: p.text().nullable(),
  status: p.enum(['active', 'inactive'] as const).default('active'),
  created_at: createdAt(),
  updated_at: updatedAt(),
});

/** Prices are in USD per million tokens, as exact decimals. */
export const priced = () => ({
  input_price_per_million: p.decimal('string').nullable(),
  output_price_per_million: p.decimal('string').nullable(),
  cached_input_price_per_million: p.decimal('string').nullable(),
  cache_write_price_per_million: p.decimal('string').nullable(),
});

class TextArray extends ArrayType<string> {
  override convertToDatabaseValue(texts: string[]): string {
    return arrayLiteral(texts);
  }
}

export const textArray = () => p.type(TextArray).$type<string[]>().columnType('text[]');

class IntegerArray extends ArrayType<number> {
  override convertToDatabaseValue(numbers: number[]): string {
    return `{${numbers.join(',')}}`;
  }
}

export const integerArray = () => p.type(IntegerArray).$type<number[]>().columnType('int[]').default([]);

/** An object as JSON; null without one. */
export const json = <T extends object>() => p.json<T>().nullable();
