import { audit } from '../audit/audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

const currentSql = statement(
  'find_current_sealed_key',
  'select key_sealed from virtual_keys where team_id = $1 and expires_at is null',
);
const viewSql = statement(
  'view_sealed_key',
  `with key as (
     select key_sealed from virtual_keys where team_id = $1 and expires_at is null
   ), entry as (${audit('key', '$2')})
   select key_sealed from key`,
);
const byHashSql = statement(
  'find_sealed_key',
  'select key_sealed from virtual_keys where key_hash = any ($1::bytea[])',
);

async function find(database: Database, sql: ReturnType<typeof statement>, ...values: unknown[]) {
  const [row] = await database.query<{ key_sealed: Buffer }>(sql, values);
  return row?.key_sealed;
}

/** The team's current key. Undefined for a team without one. */
export const findCurrentSealedKey = (database: Database, teamId: string): Promise<Buffer | undefined> =>
  find(database, currentSql, teamId);

/** The same with its audit entry, in one statement: a key is not shown when the entry cannot be written. */
export const viewCurrentSealedKey = (database: Database, teamId: string, entry: string): Promise<Buffer | undefined> =>
  find(database, viewSql, teamId, entry);

/** The key with one of these hashes, also one that has a successor. Undefined once its row was deleted. */
export const findSealedKey = (database: Database, keyHashes: readonly Buffer[]): Promise<Buffer | undefined> =>
  find(database, byHashSql, keyHashes);
