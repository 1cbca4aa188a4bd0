/** A model of the form, as text. */
export interface Draft {
  id: number;
  model: string;
  input: string;
  output: string;
  isActive: boolean;
}

export interface StoredMember {
  model_name: string;
  input_price_per_million: number | null;
  output_price_per_million: number | null;
  is_active?: boolean;
}

type Prices = Pick<Draft, 'input' | 'output'>;

/** The models with the prices of the first one: an alias has one pair of prices, whichever model is tried first. */
export const withPricesOfFirst = (drafts: readonly Draft[], { input, output }: Prices): Draft[] =>
  drafts.map((draft) => ({ ...draft, input, output }));

export const toDrafts = (members: readonly StoredMember[]): Draft[] =>
  members.map(({ model_name, input_price_per_million, output_price_per_million, is_active = true }, id) => ({
    id,
    model: model_name,
    input: String(input_price_per_million ?? ''),
    output: String(output_price_per_million ?? ''),
    isActive: is_active,
  }));
