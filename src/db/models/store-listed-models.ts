import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** What the upstream lists of a model. Prices are exact decimals in USD. */
export interface ListedModel {
  model: string;
  input_price_per_million: string | null;
  output_price_per_million: string | null;
  cached_input_price_per_million: string | null;
  cache_write_price_per_million: string | null;
  max_output_tokens: number | null;
}

const columns = `model, input_price_per_million, output_price_per_million, cached_input_price_per_million,
                 cache_write_price_per_million, max_output_tokens`;

/** Only what has changed is written: every api reads the list. */
const sql = statement(
  'store_listed_models',
  `with listed as (
     select * from jsonb_to_recordset(:models::jsonb)
         as listed (model text, input_price_per_million numeric, output_price_per_million numeric,
                    cached_input_price_per_million numeric, cache_write_price_per_million numeric, max_output_tokens int)
   ), deleted as (
     delete from listed_models l where not exists (select from listed where listed.model = l.model)
   )
   insert into listed_models (${columns})
   select * from listed except select ${columns} from listed_models
   on conflict (model) do update
      set input_price_per_million = excluded.input_price_per_million,
          output_price_per_million = excluded.output_price_per_million,
          cached_input_price_per_million = excluded.cached_input_price_per_million,
          cache_write_price_per_million = excluded.cache_write_price_per_million,
          max_output_tokens = excluded.max_output_tokens`,
);

/** Replaces the stored list. Each model is in it once. */
export const storeListedModels = async (database: Database, models: readonly ListedModel[]): Promise<void> => {
  await database.query(sql, { models: JSON.stringify(models) });
};
