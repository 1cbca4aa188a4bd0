import { z } from 'zod';
import { isForbiddenField, mayBeBlocked } from '../domain/extra-fields.ts';
import { csvFormat } from './csv.ts';
import { arrayPage, beginsOnce, beginsTwice } from './cursor.ts';
import { CallerId, ExactNumber, Limit, namedEnum, Offset, optional, SearchText, text, texts } from './fields.ts';
import { responseFields } from './shared-fields.ts';

/** What model groups, aliases and access groups have in common. `spec 7` */

const highestPrice = 1_000_000_000;

/** A price is in USD per million tokens. */
const Price = ExactNumber.min(0).max(highestPrice);

/** The price as answered. It is text inside, because money is never a float; the 15 digits of a `Price` survive the conversion to JSON. */
export const toPrice = (text: string | null | undefined): number | null => (text ? Number(text) : null);

const DisplayName = z.string().max(255);
const Description = z.string().max(2_000);
export const ModelStatus = namedEnum('ModelStatus', ['active', 'inactive']).describe('`inactive`: no call can use it');

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

const maxFields = 100;

/** Names of fields of a request, each once. */
const fields = (mayBeNamed: (name: string) => boolean, message: string) =>
  optional(
    z
      .array(z.string().refine(mayBeNamed, { message }))
      .max(maxFields)
      .transform((names) => [...new Set(names)]),
  );

/** What goes upstream of a request. `spec 7.13` and `spec 7.14` */
export const sent = {
  extra_fields: fields((name) => !isForbiddenField(name), 'This field must not be sent').describe(
    'Fields of chat completions that go upstream although the endpoint does not know them, such as `top_k`: at most 100 names ' +
      'of a small letter and up to 40 more of `a-z0-9_`. Fields that would send the request elsewhere, with other credentials, at another ' +
      'price or to another model are refused',
  ),
  blocked_fields: fields(mayBeBlocked, 'This field cannot be blocked').describe(
    'Fields of calls that do not go upstream although the endpoint knows them, such as `service_tier`: at most 100 names. `model`, ' +
      '`messages`, `input`, `stream` and `stream_options` are refused',
  ),
  max_output_tokens: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .nullish()
    .describe(
      'Most tokens that a call may have generated: a larger `max_tokens` or `max_completion_tokens` is replaced by it, and a call without ' +
        'either gets it. Null: no limit',
    ),
  embedding_fallbacks: optional(z.boolean()).describe(
    'Whether embeddings may be made by a fallback: all models are the same one at several providers. Vectors of two models do not ' +
      'compare. Default false',
  ),
};

/** The same fields in an answer. */
/** `spec 7.12` */
export const warnings = z.array(z.string()).meta({
  description:
    'What is doubtful about the names of models in the request, by the list of the upstream; none where it has no list',
  example: [],
});

export const shownSent = {
  extra_fields: texts('Fields of chat completions that go upstream although the endpoint does not know them', [
    'top_k',
  ]),
  blocked_fields: texts('Fields of calls that do not go upstream although the endpoint knows them', ['service_tier']),
  max_output_tokens: z.int().nullable().describe('Most tokens that a call may have generated; null without a limit'),
  embedding_fallbacks: z.boolean().describe('Whether embeddings may be made by a fallback'),
};

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
  cached_input_price_per_million: optional(Price).describe(
    'USD for a million prompt tokens that the provider has read from its cache. Default: the input price',
  ),
  cache_write_price_per_million: optional(Price).describe(
    'USD for a million prompt tokens that the provider has written to its cache. Default: the input price',
  ),
};

/** The same fields in an answer. */
export const shown = {
  display_name: text('Name for people; null when none was given', 'General chat').nullable(),
  description: text('What it is meant for; null when nothing was given', 'For conversations and summaries').nullable(),
  status: ModelStatus,
  created_at: responseFields.created_at,
  updated_at: responseFields.updated_at,
};

export const shownPrices = {
  input_price_per_million: z
    .number()
    .nullable()
    .meta({ description: 'USD for a million prompt tokens; null when no price was set', example: 2.5 }),
  output_price_per_million: z
    .number()
    .nullable()
    .meta({ description: 'USD for a million completion tokens; null when no price was set', example: 10 }),
  cached_input_price_per_million: z
    .number()
    .nullable()
    .meta({ description: 'USD for a million prompt tokens read from the cache; null: the input price', example: 0.25 }),
  cache_write_price_per_million: z.number().nullable().meta({
    description: 'USD for a million prompt tokens written to the cache; null: the input price',
    example: null,
  }),
};

const listedPrice = (what: string, example: number) =>
  z
    .number()
    .nullable()
    .describe(`USD per million tokens of the ${what}; null where the upstream lists none`)
    .meta({ example });

/** `spec 7.15` */
export const UpstreamModels = z
  .object({
    models: z
      .array(
        z
          .object({
            model: text(
              'Name of the model at the upstream. One that ends in `*` stands for every name that begins so',
              'openai/gpt-4o',
            ),
            input_price_per_million: listedPrice('prompt', 2.5),
            output_price_per_million: listedPrice('answer', 10),
          })
          .meta({ id: 'UpstreamModel' }),
      )
      .describe('In the order of their names; none where there is no list'),
    problem: z.string().nullable().describe('Why there is no list, for people; null where there is one'),
    help: z.string().nullable().describe('What helps, for people; null where there is a list'),
  })
  .meta({ id: 'UpstreamModels' });
