import { Migration } from '@mikro-orm/migrations';

/** Turns of agents: how a call ends one, which agent made it, and what a team decides on both. `spec 27` */
export class Turns extends Migration {
  override up(): void {
    this.addSql(`
      alter table calls
        -- The job is completed when no call has followed the last one for so many seconds.
        add column turn_seconds integer,
        -- Its name, and the class of the call in its words.
        add column agent jsonb
    `);
    this.addSql(
      'alter table calls add constraint turns_settle_within_an_hour check (turn_seconds between 1 and 3600) not valid',
    );
    this.addSql(
      'alter table calls add constraint a_call_ends_its_job_in_one_way check (end_job is null or turn_seconds is null) not valid',
    );
    this.addSql(`alter table teams add column agent_turns text not null default 'on', add column job_end text`);
    this.addSql(
      "alter table teams add constraint agent_turns_are_on_or_off check (agent_turns in ('on', 'off')) not valid",
    );
    this.addSql(
      "alter table teams add constraint job_end_is_known check (job_end in ('call', 'answer', 'turn')) not valid",
    );
  }
}
