import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

const sql = statement(
  'find_preceding_keys',
  `select own.key_hash
     from virtual_keys own
    where own.key_hash = :key_hash
    union all
   select other.key_hash
     from virtual_keys own
     join virtual_keys other on other.team_id = own.team_id and other.expires_at is not null
    where own.key_hash = :key_hash and own.expires_at is null`,
);

/** The hash of the key, first, and, if it is its team's current key, the hashes of the keys before it. */
export async function findPrecedingKeys(database: Database, keyHash: Buffer): Promise<Buffer[]> {
  const rows = await database.query<{ key_hash: Buffer }>(sql, { key_hash: keyHash });
  return rows.map((row) => row.key_hash);
}
