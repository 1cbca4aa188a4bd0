import { Migration } from '@mikro-orm/migrations';

/** Whether the client of a call has left it with a 202: its end is an event then. `spec 26.1` */
export class AsynchronousCalls extends Migration {
  override up(): void {
    this.addSql('alter table calls add column asynchronous boolean not null default false');
  }
}
