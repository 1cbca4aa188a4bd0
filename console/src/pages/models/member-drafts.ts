/** The prices of a model in USD per million tokens, as they are called in the form and in the interface. */
export const priceFields = [
  { price: 'input', head: 'In', what: 'input price', field: 'input_price_per_million' },
  { price: 'output', head: 'Out', what: 'output price', field: 'output_price_per_million' },
  { price: 'cached', head: 'Cached', what: 'price of cached input', field: 'cached_input_price_per_million' },
  { price: 'written', head: 'Written', what: 'price of writing to the cache', field: 'cache_write_price_per_million' },
] as const;

type PriceField = (typeof priceFields)[number];
export type Prices = Record<PriceField['price'], string>;

/** A model of the form, as text. */
export interface Draft extends Prices {
  id: number;
  model: string;
  isActive: boolean;
}

export interface StoredMember extends Partial<Record<PriceField['field'], number | null>> {
  model_name: string;
  is_active?: boolean;
}

export const noPrices: Prices = { input: '', output: '', cached: '', written: '' };

/** The models with the prices of the first one: an alias has the same prices, whichever model is tried first. */
export const withPricesOfFirst = (
  drafts: readonly Draft[],
  { input, output, cached, written }: Prices = noPrices,
): Draft[] => drafts.map((draft) => ({ ...draft, input, output, cached, written }));

export const toDrafts = (members: readonly StoredMember[]): Draft[] =>
  members.map(({ model_name, is_active = true, ...stored }, id) => ({
    ...noPrices,
    ...Object.fromEntries(priceFields.map(({ price, field }) => [price, String(stored[field] ?? '')])),
    id,
    model: model_name,
    isActive: is_active,
  }));
