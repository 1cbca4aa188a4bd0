import { Migration } from '@mikro-orm/migrations';
import { decide } from './0028-job-budgets.ts';

/** The vectors of embeddings, which are kept for minutes, and the prices of prompts that providers cache. `spec 30` */
export class EmbeddingsAndCachedPrices extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const table of ['model_groups', 'model_aliases'])
      this.addSql(`alter table ${table} add column if not exists embedding_fallbacks boolean not null default false`);
    for (const table of ['model_group_members', 'model_aliases', 'listed_models'])
      for (const price of prices) {
        this.addSql(`alter table ${table} add column if not exists ${price} numeric`);
        this.addSql(`alter table ${table} drop constraint if exists ${table}_${price}`);
        this.addSql(`alter table ${table} add constraint ${table}_${price} check (${price} >= 0) not valid`);
      }
    this.addSql('alter table calls add column if not exists cache_write_tokens integer');
    this.addSql('alter table call_payloads add column if not exists vectors_kept_minutes integer');
    this.addSql('drop index concurrently if exists payloads_with_vectors');
    this.addSql(
      'create index concurrently payloads_with_vectors on call_payloads (vectors_kept_minutes, created_at) where vectors_kept_minutes is not null',
    );
    this.addSql(decideByDearest);
  }
}

const prices = ['cached_input_price_per_million', 'cache_write_price_per_million'];

const ofCandidate = (price: string) => `(c.candidate ->> '${price}')::numeric`;

/** A budget has to hold whether the prompt is read from the cache of the provider, written to it, or neither: by the dearest of the prices. */
const decideByDearest = decide
  .replace(
    `then ${ofCandidate('inputPerMillion')}`,
    `then greatest(${['inputPerMillion', 'cachedInputPerMillion', 'cacheWritePerMillion'].map(ofCandidate).join(', ')})`,
  )
  .replace(
    'else l.input_price_per_million end as input',
    `else greatest(${['input_price_per_million', ...prices].map((price) => `l.${price}`).join(', ')}) end as input`,
  );
