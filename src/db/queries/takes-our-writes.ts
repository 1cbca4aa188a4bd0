import { migrations } from '../../../migrations/index.ts';
import { type Database, statement } from '../database.ts';

const sql = statement(
  'takes_our_writes',
  `select current_setting('transaction_read_only') = 'off' and exists (select from migrations where name = $1) as does`,
);

/** Whether it is no standby, and brought up to this version at least. Rejects where it answers nothing, or was never migrated. */
export async function takesOurWrites(database: Database): Promise<boolean> {
  const [row] = await database.apart<{ does: boolean }>(sql, [migrations.at(-1)!.name]);
  return row!.does;
}
