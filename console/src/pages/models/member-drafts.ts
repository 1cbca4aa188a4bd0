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

export const draftsOf = (members: readonly StoredMember[]): Draft[] =>
  members.map(({ model_name, input_price_per_million, output_price_per_million, is_active = true }, id) => ({
    id,
    model: model_name,
    input: String(input_price_per_million ?? ''),
    output: String(output_price_per_million ?? ''),
    isActive: is_active,
  }));
