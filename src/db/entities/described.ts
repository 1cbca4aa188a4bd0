import { p } from '@mikro-orm/core';
import { createdAt, updatedAt } from './timestamps.ts';

/** The columns that model groups, aliases and access groups have in common. `spec 7` */
export const described = () => ({
  display_name: p.text().nullable(),
  description: p.text().nullable(),
  status: p.enum(['active', 'inactive'] as const).default('active'),
  created_at: createdAt(),
  updated_at: updatedAt(),
});

/** USD per million tokens, as exact decimals. */
export const priced = () => ({
  input_price_per_million: p.decimal('string').nullable(),
  output_price_per_million: p.decimal('string').nullable(),
});
