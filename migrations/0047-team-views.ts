import { Migration } from '@mikro-orm/migrations';

/** Which teams an admin's session may view the console as, and until when. A view ends with its session. `spec 19.17` */
export class TeamViews extends Migration {
  override up(): void {
    this.addSql(`
      create table team_views (
        session_id uuid not null references admin_sessions on delete cascade,
        team_id text not null,
        expires_at timestamptz(3) not null,
        primary key (session_id, team_id)
      );
    `);
  }
}
