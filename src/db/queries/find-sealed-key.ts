import { type Database, statement } from '../database.ts';

const currentSql = statement(
  'find_current_sealed_key',
  'select key_sealed from virtual_keys where team_id = $1 and expires_at is null',
);
const byHashSql = statement('find_sealed_key', 'select key_sealed from virtual_keys where key_hash = $1');

async function find(database: Database, sql: ReturnType<typeof statement>, value: unknown) {
  const [row] = await database.query<{ key_sealed: Buffer }>(sql, [value]);
  return row?.key_sealed;
}

/** The team's current key. Undefined for a team without one. */
export const findCurrentSealedKey = (database: Database, teamId: string): Promise<Buffer | undefined> =>
  find(database, currentSql, teamId);

/** The key with this hash, also one that has a successor. Undefined once its row was deleted. */
export const findSealedKey = (database: Database, keyHash: Buffer): Promise<Buffer | undefined> =>
  find(database, byHashSql, keyHash);
