import { z } from 'zod';
import { CallerId, ExactNumber, Limit, Offset, optional, Timestamp } from './fields.ts';

/** What model groups, aliases and access groups have in common. `spec 7` */

const highestPrice = 1_000_000_000;

/** USD per million tokens. */
const Price = ExactNumber.min(0).max(highestPrice);

/** The price as answered. It is text inside, because money is never a float; the 15 digits of a `Price` survive the conversion to JSON. */
export const priceOf = (text: string | null | undefined): number | null => (text ? Number(text) : null);

const DisplayName = z.string().max(255);
const Description = z.string().max(2_000);
export const ModelStatus = z.enum(['active', 'inactive']);

export const ModelListQuery = z.object({ status: ModelStatus.optional(), limit: Limit, offset: Offset });

/** Names without repetitions, the first of equal ones stays. */
export const Names = z
  .array(CallerId)
  .max(1_000)
  .transform((names) => [...new Set(names)]);

/** In a change, `null` clears a field that may be empty; a field that is left out stays. */
export const described = {
  display_name: DisplayName.nullish(),
  description: Description.nullish(),
};

export const prices = {
  input_price_per_million: optional(Price),
  output_price_per_million: optional(Price),
};

/** The same fields in an answer. */
export const shown = {
  display_name: z.string().nullable(),
  description: z.string().nullable(),
  status: ModelStatus,
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const shownPrices = {
  input_price_per_million: z.number().nullable(),
  output_price_per_million: z.number().nullable(),
};
