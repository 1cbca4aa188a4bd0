import { audit } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

export interface ViewRow {
  view_id: string;
  name: string;
  path: string;
  query: string;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

export type ViewText = Pick<ViewRow, 'name' | 'path' | 'query'>;

/** An installation has so many at most. */
const maxViews = 200;

const columns = 'view_id, name, path, query, created_by, created_at, updated_at';

const listSql = statement('list_views', `select ${columns} from saved_views order by name collate "C"`);

/** All views, by their names. */
export const listViews = (database: Database): Promise<ViewRow[]> => database.reports.query<ViewRow>(listSql);

const insertSql = statement(
  'insert_view',
  `with inserted as (
     insert into saved_views (view_id, name, path, query, created_by)
     select :view_id::uuid, :name, :path, :query, :created_by
      where (select count(*) from saved_views) < ${maxViews}
     on conflict do nothing
     returning ${columns}
   ), audited as (${audit('inserted')})
   select * from inserted
   union all select ${columns} from saved_views where view_id = :view_id::uuid`,
);

/** Undefined: another view has the name, or there are as many as there may be. A repetition finds the view that it has made. */
export async function insertView(
  database: Database,
  view: ViewText & { view_id: string; created_by: string },
  audit_entry: string,
): Promise<ViewRow | undefined> {
  const [row] = await database.query<ViewRow>(insertSql, { ...view, audit_entry });
  return row;
}

const updateSql = statement(
  'update_view',
  `with named as (
     select exists (select from saved_views where name = :name and view_id <> :view_id::uuid) as is_taken
   ), updated as (
     update saved_views set name = :name, path = :path, query = :query, updated_at = now()
       from named where view_id = :view_id::uuid and not is_taken
     returning ${columns}
   ), audited as (${audit('updated')})
   select named.is_taken, updated.* from named left join updated on true`,
);

/** `taken`: another view has the name. Undefined: there is no such view. */
export async function updateView(
  database: Database,
  view: ViewText & { view_id: string },
  audit_entry: string,
): Promise<ViewRow | 'taken' | undefined> {
  const [row] = await database.query<ViewRow & { is_taken: boolean }>(updateSql, { ...view, audit_entry });
  const { is_taken, ...updated } = row!;
  if (is_taken) return 'taken';
  return updated.view_id === null ? undefined : updated;
}

const deleteSql = statement(
  'delete_view',
  `with deleted as (
     delete from saved_views where view_id = :view_id::uuid returning name
   ), audited as (${audit('deleted')})
   select * from deleted`,
);

/** The name of the view; undefined: there is none. */
export async function deleteView(database: Database, viewId: string, audit_entry: string): Promise<string | undefined> {
  const [row] = await database.query<{ name: string }>(deleteSql, { view_id: viewId, audit_entry });
  return row?.name;
}
