import { migrations } from '../../../migrations/index.ts';
import { statement } from '../sql/statement.ts';
import type { Database } from './database.ts';

const sql = statement(
  'is_writable',
  `select current_setting('transaction_read_only') = 'off'
          and exists (select from migrations where name = :last_migration) as is_writable`,
);

/** Whether the server is no standby and has the migrations of this version. Rejects without a response, or without any migration. */
export async function isWritable(database: Database): Promise<boolean> {
  const [row] = await database.reserved<{ is_writable: boolean }>(sql, { last_migration: migrations.at(-1)!.name });
  return row!.is_writable;
}
