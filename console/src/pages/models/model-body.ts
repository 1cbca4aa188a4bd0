import type { ModelKind } from '../../api/models.ts';
import { parseNumber } from '../../format/number-input.ts';
import { type Draft, priceFields } from './member-drafts.ts';

interface Fields {
  newName: string | undefined;
  display: string;
  description: string;
  status: 'active' | 'inactive';
  drafts: readonly Draft[];
  links: readonly string[];
  extraFields: readonly string[];
  blockedFields: readonly string[];
  maxOutputTokens: string;
  embeddingFallbacks: boolean;
}

export const nameFieldOf = (kind: ModelKind): 'alias_name' | 'group_name' =>
  kind === 'model-aliases' ? 'alias_name' : 'group_name';

const toPrices = (draft: Draft) =>
  Object.fromEntries(priceFields.map(({ price, field }) => [field, parseNumber(draft[price])]));

/** The body of the request that creates or changes an entry. The order of the models is that in which they are tried. */
export function toBody(kind: ModelKind, fields: Fields) {
  const { newName, display, description, status, drafts, links } = fields;
  const named = drafts.filter(({ model }) => model.trim() !== '');
  const [first, ...fallbacks] = named;
  return {
    ...(newName === undefined ? { status } : { [nameFieldOf(kind)]: newName }),
    display_name: display.trim() || null,
    description: description.trim() || null,
    ...(kind !== 'model-access-groups' && {
      extra_fields: fields.extraFields,
      blocked_fields: fields.blockedFields,
      max_output_tokens: parseNumber(fields.maxOutputTokens),
      embedding_fallbacks: fields.embeddingFallbacks,
    }),
    ...(kind === 'model-groups' && {
      models: named.map((draft) => ({
        model_name: draft.model.trim(),
        is_active: draft.isActive,
        ...toPrices(draft),
      })),
    }),
    ...(kind === 'model-aliases' &&
      first && {
        model_name: first.model.trim(),
        fallbacks: fallbacks.map(({ model }) => model.trim()),
        ...toPrices(first),
        access_groups: links,
      }),
    ...(kind === 'model-access-groups' && { model_aliases: links }),
  };
}
