import { migrations } from '../../../migrations/index.ts';
import { statement } from '../sql/statement.ts';
import type { Database } from './database.ts';

const sql = statement(
  'takes_our_writes',
  `select current_setting('transaction_read_only') = 'off' and exists (select from migrations where name = :last_migration) as does`,
);

/** Whether the server is no standby and is migrated to this version at least. Rejects when it does not answer, or was never migrated. */
export async function isWritable(database: Database): Promise<boolean> {
  const [row] = await database.reserved<{ does: boolean }>(sql, { last_migration: migrations.at(-1)!.name });
  return row!.does;
}
