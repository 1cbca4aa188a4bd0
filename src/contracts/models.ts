import { z } from 'zod';
import { isForbiddenField } from '../domain/extra-fields.ts';
import { csvFormat } from './csv.ts';
import { arrayPage, beginsOnce, beginsTwice } from './cursor.ts';
import { CallerId, ExactNumber, Limit, Offset, optional, SearchText } from './fields.ts';
import { responseFields } from './shared-fields.ts';

/** What model groups, aliases and access groups have in common. `spec 7` */

const highestPrice = 1_000_000_000;

/** USD per million tokens. */
const Price = ExactNumber.min(0).max(highestPrice);

/** The price as answered. It is text inside, because money is never a float; the 15 digits of a `Price` survive the conversion to JSON. */
export const priceOf = (text: string | null | undefined): number | null => (text ? Number(text) : null);

const DisplayName = z.string().max(255);
const Description = z.string().max(2_000);
export const ModelStatus = z.enum(['active', 'inactive']).describe('`inactive`: no call can use it');

export const ModelListQuery = z
  .object({
    status: ModelStatus.optional().describe('Only entries in this status; without it, in either'),
    q: SearchText.optional().describe('Only entries whose name or display name contains this text, in any case'),
    limit: Limit,
    offset: Offset,
    ...arrayPage,
    ...csvFormat,
  })
  .refine(beginsOnce, beginsTwice);

/** Names without repetitions, the first of equal ones stays. */
export const Names = z
  .array(CallerId)
  .max(1_000)
  .transform((names) => [...new Set(names)]);

const maxExtraFields = 100;

const ExtraField = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x21-\x7e]*$/, 'must be visible ASCII characters')
  .refine((name) => !isForbiddenField(name), { message: 'This field must not be sent' });

/** `spec 7.13` */
export const extra_fields = optional(
  z
    .array(ExtraField)
    .max(maxExtraFields)
    .transform((names) => [...new Set(names)]),
).describe(
  'Fields of chat completions that go upstream although the endpoint does not know them, such as `top_k`: at most 100 names. ' +
    'Fields that would send the request elsewhere are refused',
);
export const shownExtraFields = z
  .array(z.string())
  .describe('Fields of chat completions that go upstream although the endpoint does not know them');

/** In a change, `null` clears a nullable field; an omitted field is not changed. */
export const described = {
  display_name: DisplayName.nullish().describe('Name for people, at most 255 characters. Null: none'),
  description: Description.nullish().describe('What it is meant for, at most 2,000 characters. Null: none'),
};

const priceIsUsed = 'Used where the upstream reports no cost of its own';

export const prices = {
  input_price_per_million: optional(Price).describe(
    `USD for a million prompt tokens, 0 to 1,000,000,000. ${priceIsUsed}`,
  ),
  output_price_per_million: optional(Price).describe(
    `USD for a million completion tokens, 0 to 1,000,000,000. ${priceIsUsed}`,
  ),
};

/** The same fields in an answer. */
export const shown = {
  display_name: z
    .string()
    .nullable()
    .meta({ description: 'Name for people; null when none was given', example: 'General chat' }),
  description: z.string().nullable().meta({
    description: 'What it is meant for; null when nothing was given',
    example: 'For conversations and summaries',
  }),
  status: ModelStatus,
  created_at: responseFields.created_at,
  updated_at: responseFields.updated_at,
};

export const shownPrices = {
  input_price_per_million: z
    .number()
    .nullable()
    .describe('USD for a million prompt tokens; null when no price was set'),
  output_price_per_million: z
    .number()
    .nullable()
    .describe('USD for a million completion tokens; null when no price was set'),
};
