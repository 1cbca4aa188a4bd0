import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { everyKey, isPresented } from './every-key.ts';

const sql = statement('find_key_end', `select expires_at from ${everyKey} k where ${isPresented('k')}`);

/** Finds when the key with one of these hashes ends; null while it has no end. */
export async function findKeyEnd(database: Database, keyHashes: readonly Buffer[]): Promise<Date | null> {
  const [row] = await database.query<{ expires_at: Date | null }>(sql, { key_hashes: keyHashes });
  return row?.expires_at ?? null;
}
