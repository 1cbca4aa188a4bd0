import { Migration } from '@mikro-orm/migrations';

/** How long a team's requests and answers are kept; each payload has the time of its team. Null: that of the installation. `spec 4.22` */
export class RetentionOfPayloads extends Migration {
  override up(): void {
    this.addSql(`
      alter table teams
        add column payload_retention_days integer,
        -- What the stored payloads of the team have. Maintenance changes them after the setting was changed.
        add column payload_retention_applied integer
    `);
    this.addSql(
      'alter table teams add constraint payload_retention_is_bounded check (payload_retention_days between 0 and 365) not valid',
    );
    this.addSql('alter table call_payloads add column retention_days integer');
  }
}
