import { Migration } from '@mikro-orm/migrations';

/**
 * Fields of a request that an admin lets through to the upstream. The request of a call keeps what it has beyond the known fields,
 * and the names that its model permits.
 */
export class ExtraFields extends Migration {
  override up(): void {
    this.addSql(`
      alter table model_groups add column extra_fields text[] not null default '{}';
      alter table model_aliases add column extra_fields text[] not null default '{}';
      alter table call_payloads add column options text, add column extra_fields text[];
    `);
  }
}
