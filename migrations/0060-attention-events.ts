import { Migration } from '@mikro-orm/migrations';

/**
 * Webhooks of the installation, which are of no team, and what needs attention now: they are sent one event when it begins and one when it
 * ends. `spec 11.16`, `spec 11.17`
 */
export class AttentionEvents extends Migration {
  override up(): void {
    this.addSql('alter table webhooks alter column team_id drop not null');
    this.addSql(`
      create table open_attention (
        kind text not null,
        subject_id text not null,
        attention_id uuid not null default gen_random_uuid(),
        title text not null,
        -- What both events say of it.
        data jsonb not null,
        -- Since when it was no longer found. Null: it was found in the last round of maintenance.
        gone_since timestamptz(3),
        primary key (kind, subject_id)
      )
    `);
  }
}
