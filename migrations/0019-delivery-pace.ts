import { Migration } from '@mikro-orm/migrations';

/**
 * How many deliveries of a team may be started, shared by all processes, and which webhooks have so many waiting events that they
 * get no more for now. The paces are unlogged: after a crash each team begins with a full one.
 */
export class DeliveryPace extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table delivery_paces (
        team_id text primary key,
        available double precision not null,
        counted_at timestamptz not null
      );
    `);
    this.addSql('alter table webhooks add column skips_events boolean not null default false');
  }
}
