import { Migration } from '@mikro-orm/migrations';

/** Views of the console that the admins of the installation share: a page and its query under a name. `spec 19.77` */
export class SavedViews extends Migration {
  override up(): void {
    this.addSql(`
      create table saved_views (
        view_id uuid primary key,
        name text not null unique check (char_length(name) between 1 and 100),
        path text not null check (char_length(path) <= 200),
        query text not null check (char_length(query) <= 2000),
        created_by text not null,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now()
      )
    `);
  }
}
