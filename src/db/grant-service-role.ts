import type { Pool } from 'pg';
import pg from 'pg';

/** Rows of these are only added: a change would be a change of what was charged, or of who did what. */
const appendOnly = ['credit_transactions', 'audit_log'];
/** Only the owner records what was migrated. */
const readOnly = ['migrations'];

const identifier = (name: string): string => pg.escapeIdentifier(name);
const tables = (names: readonly string[]): string => names.map(identifier).join(', ');

/**
 * Lets the role of api and worker do what they need and no more: it cannot change the ledger, the audit log or any table's
 * definition, nor switch a trigger off. Creates the role, where this one may. Safe to repeat. `spec 15.12`
 */
export async function grantServiceRole(pool: Pick<Pool, 'query'>, serviceUrl: string): Promise<void> {
  const { username, password } = new URL(serviceUrl);
  const name = decodeURIComponent(username);
  const role = identifier(name);
  const { rows } = await pool.query(
    'select current_user = $1 as is_owner, current_schema() as schema, exists (select from pg_roles where rolname = $1) as exists',
    [name],
  );
  const { is_owner, schema, exists } = rows[0];
  if (is_owner) throw new Error('DATABASE_SERVICE_URL has the role that owns the tables: it has to be another one');
  if (!exists) await pool.query(`create role ${role} login password ${pg.escapeLiteral(decodeURIComponent(password))}`);
  const inSchema = `in schema ${identifier(schema)}`;
  await pool.query(`
    grant usage on schema ${identifier(schema)} to ${role};
    revoke create on schema ${identifier(schema)} from ${role};
    revoke all on all tables ${inSchema} from ${role};
    grant select, insert, update, delete on all tables ${inSchema} to ${role};
    grant usage on all sequences ${inSchema} to ${role};
    revoke update, delete on ${tables(appendOnly)} from ${role};
    revoke insert, update, delete on ${tables(readOnly)} from ${role}`);
}
