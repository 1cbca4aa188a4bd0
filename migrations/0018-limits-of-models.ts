import { Migration } from '@mikro-orm/migrations';

/** What a model group or an alias takes out of requests. A call keeps what its model had when it was admitted. */
export class LimitsOfModels extends Migration {
  override up(): void {
    this.addSql(`
      alter table model_groups
        -- Fields of a request that are not sent upstream, although they are known.
        add column blocked_fields text[] not null default '{}';
      alter table model_groups add column max_output_tokens integer;
      alter table model_groups add constraint model_groups_max_output_tokens check (max_output_tokens > 0) not valid;
      alter table model_aliases add column blocked_fields text[] not null default '{}';
      alter table model_aliases add column max_output_tokens integer;
      alter table model_aliases add constraint model_aliases_max_output_tokens check (max_output_tokens > 0) not valid;
      alter table call_payloads add column blocked_fields text[];
      alter table call_payloads add column max_output_tokens integer;
    `);
  }
}
