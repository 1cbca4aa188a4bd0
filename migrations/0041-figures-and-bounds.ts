import { Migration } from '@mikro-orm/migrations';

/**
 * What the upstream has named of a prompt that was too long (`spec 28.12`), and how many background responses of a team are unfinished
 * (`spec 29.18`). The function waits for other admissions of the team and then counts what they have made: it is volatile, so that its query
 * sees more than the statement that calls it. The lock ends with the admission. A repetition of the admission does not count its own call.
 */
export class FiguresAndBounds extends Migration {
  override up(): void {
    this.addSql('alter table calls add column context_figures jsonb');
    this.addSql(`
      create function unfinished_responses(of_team text, but_call uuid) returns integer language plpgsql volatile as $$
      begin
        perform pg_advisory_xact_lock(hashtextextended('background responses of ' || of_team, 0));
        return (select count(*) from calls c join call_payloads p on p.call_id = c.call_id
                 where c.team_id = of_team and c.finished_at is null and c.asynchronous and c.call_id <> but_call
                   and p.client_request is not null and c.status <> 'refused');
      end $$
    `);
  }
}
