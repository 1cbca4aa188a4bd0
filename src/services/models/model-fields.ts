import type { NewMember } from '../../contracts/model-groups.ts';
import { decimalText } from '../../domain/formats/exact-decimal.ts';
import { rankMembers } from '../../domain/model-members.ts';
import { namedFields } from '../../domain/named-fields.ts';

type Status = 'active' | 'inactive';

interface Described {
  display_name?: string | null | undefined;
  description?: string | null | undefined;
}

interface Sent {
  extra_fields?: string[] | null | undefined;
  blocked_fields?: string[] | null | undefined;
  max_output_tokens?: number | null | undefined;
  embedding_fallbacks?: boolean | null | undefined;
}

interface Priced {
  input_price_per_million?: number | null | undefined;
  output_price_per_million?: number | null | undefined;
  cached_input_price_per_million?: number | null | undefined;
  cache_write_price_per_million?: number | null | undefined;
}

/** What a body says about a new entry, whatever it is. */
export const descriptionOf = ({ display_name, description }: Described) => ({ display_name, description });

/** What goes upstream of requests for a new model group or alias. */
export const toSentFields = ({ extra_fields, blocked_fields, max_output_tokens, embedding_fallbacks }: Sent) => ({
  extra_fields: extra_fields ?? [],
  blocked_fields: blocked_fields ?? [],
  max_output_tokens,
  embedding_fallbacks: embedding_fallbacks ?? false,
});

/** Prices as they are stored. */
export const toStoredPrices = (priced: Priced) => ({
  input_price_per_million: decimalText(priced.input_price_per_million),
  output_price_per_million: decimalText(priced.output_price_per_million),
  cached_input_price_per_million: decimalText(priced.cached_input_price_per_million),
  cache_write_price_per_million: decimalText(priced.cache_write_price_per_million),
});

/** Members of a model group as they are stored. */
export const memberRows = (members: readonly NewMember[]) =>
  rankMembers(members).map(({ model_name, priority, position, is_active, ...prices }) => ({
    model_name,
    priority,
    position,
    is_active: is_active ?? true,
    ...toStoredPrices(prices),
  }));

/** The fields that a change of an access group names. `null` clears a text, and does not change the status. */
export const changedDescription = ({ status, ...described }: Described & { status?: Status | null | undefined }) =>
  namedFields({ ...descriptionOf(described), status: status ?? undefined });

/** The fields that a change of a model group or an alias names. `null` clears the limit of tokens, and does not change the lists. */
export const changedSentFields = ({ extra_fields, blocked_fields, max_output_tokens, embedding_fallbacks }: Sent) =>
  namedFields({
    extra_fields: extra_fields ?? undefined,
    blocked_fields: blocked_fields ?? undefined,
    max_output_tokens,
    embedding_fallbacks: embedding_fallbacks ?? undefined,
  });
