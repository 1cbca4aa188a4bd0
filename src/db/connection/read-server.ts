import { statement } from '../sql/statement.ts';
import type { Database } from './database.ts';

const versionSql = statement('server_version', `select current_setting('server_version') as version`);

export async function readServerVersion(database: Database): Promise<string> {
  const [row] = await database.query<{ version: string }>(versionSql);
  return row!.version;
}

/** What the role of the connection may do beyond reading and writing rows. */
export interface RoleRights {
  role: string;
  is_superuser: boolean;
  /** It owns tables, or is a member of a role that does. */
  is_owner: boolean;
  may_create: boolean;
  may_change_ledger: boolean;
}

const rightsSql = statement(
  'role_rights',
  `select current_user as role, rolsuper as is_superuser,
          exists (select from pg_class c
                   where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and pg_has_role(c.relowner, 'member')) as is_owner,
          has_schema_privilege(current_schema(), 'create') as may_create,
          has_table_privilege('credit_transactions', 'update, delete') or has_table_privilege('audit_log', 'update, delete') as may_change_ledger
     from pg_roles where rolname = current_user`,
);

export async function readRoleRights(database: Database): Promise<RoleRights> {
  const [row] = await database.query<RoleRights>(rightsSql);
  return row!;
}

const clockSql = statement('server_clock', 'select clock_timestamp() as now');

/** The clock of the server, now. */
export async function readServerClock(database: Database): Promise<Date> {
  const [row] = await database.query<{ now: Date }>(clockSql);
  return row!.now;
}
