import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { withoutDisk } from '../sql/without-disk.ts';

const sql = statement(
  'record_key_uses',
  `with uses as (
     select key_hash from unnest(:key_hashes::bytea[]) as presented (key_hash)
   ), first_keys as (
     update virtual_keys k set last_used_at = now() from uses where k.key_hash = uses.key_hash
   ), further_keys as (
     update team_keys k set last_used_at = now() from uses where k.key_hash = uses.key_hash
   )
   select ${withoutDisk}`,
);

/** Notes that the keys with these hashes are used at this moment. */
export const recordKeyUses = (database: Database, keyHashes: readonly Buffer[]) =>
  database.query(sql, { key_hashes: keyHashes });
