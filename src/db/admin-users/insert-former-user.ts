import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { executeIn } from '../connection/execute-in.ts';
import type { AdminUser } from '../entities/admin-user.ts';
import { unnamed } from '../sql/statement.ts';

const sql = unnamed('insert into former_admin_users (user_id, display_name) values (:user_id, :display_name)');

/** Keeps the name of a user whose account is about to be deleted: entries of the audit log have the id only. */
export async function insertFormerUser(
  entities: SqlEntityManager,
  { user_id, display_name }: Pick<AdminUser, 'user_id' | 'display_name'>,
): Promise<void> {
  await executeIn(entities, sql, { user_id, display_name });
}
