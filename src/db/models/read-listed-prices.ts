import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

export interface ListedPrice {
  model: string;
  input_price_per_million: string | null;
  output_price_per_million: string | null;
}

const sql = statement(
  'read_listed_prices',
  'select model, input_price_per_million, output_price_per_million from listed_models where model = any(:models::text[])',
);

/** The prices of these models in USD, as the upstream lists them. A model that it does not list is left out. */
export const readListedPrices = (database: Database, models: readonly string[]): Promise<ListedPrice[]> =>
  database.query<ListedPrice>(sql, { models });
