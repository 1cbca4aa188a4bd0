import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { withoutDisk } from '../sql/without-disk.ts';

/**
 * Without `synchronous_commit` the statement takes as long for an e-mail that nobody has, so that its time does not show which
 * e-mails have accounts. A crash of PostgreSQL within the next half second may lose the entry.
 */
const sql = statement(
  'audit_failed_login',
  `with commit_setting as (
     select ${withoutDisk}
   ), account as (
     select user_id from admin_users, commit_setting where email = :email
   )
   insert into audit_log (audit_id, action, resource_type, resource_id, details, ip_address)
   select gen_random_uuid(), 'failed_login', 'admin_user', user_id,
          json_build_object('email', :email::text, 'refused', :refused::text), :ip
     from account`,
);

export interface FailedLogin {
  email: string;
  /** The code of the refusal. */
  refused: string;
  ip: string;
}

/** Writes the entry if there is an account of this e-mail: what else is typed as an e-mail may be a password. */
export const auditFailedLogin = (database: Database, { email, refused, ip }: FailedLogin): Promise<unknown> =>
  database.query(sql, { email, refused, ip: ip || null });
