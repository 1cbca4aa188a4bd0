import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { everyKey, isPresented } from './every-key.ts';

const sql = statement(
  'find_preceding_keys',
  `select own.team_id, own.key_sealed
     from ${everyKey} own
    where ${isPresented('own')}
    union all
   select other.team_id, other.key_sealed
     from virtual_keys own
     join ${everyKey} other on other.team_id = own.team_id and other.key_hash <> own.key_hash
    where ${isPresented('own')} and own.expires_at is null`,
);

export interface SealedKey {
  team_id: string;
  key_sealed: Buffer;
}

/** The key with one of these hashes, first, and, if it is its team's current first key, the other keys of the team. */
export const findPrecedingKeys = (database: Database, keyHashes: readonly Buffer[]): Promise<SealedKey[]> =>
  database.query<SealedKey>(sql, { key_hashes: keyHashes });
