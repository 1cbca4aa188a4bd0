import { audit } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { type Statement, statement, type Values } from '../sql/statement.ts';
import { everyKey, isPresented } from './every-key.ts';

const currentSql = statement(
  'find_current_sealed_key',
  'select key_sealed from virtual_keys where team_id = :team_id and expires_at is null',
);
const viewSql = statement(
  'view_sealed_key',
  `with key as (
     select key_sealed from virtual_keys where team_id = :team_id and expires_at is null
   ), entry as (${audit('key')})
   select key_sealed from key`,
);
const byHashSql = statement('find_sealed_key', `select key_sealed from ${everyKey} k where ${isPresented('k')}`);

async function find(database: Database, sql: Statement, values: Values): Promise<Buffer | undefined> {
  const [row] = await database.query<{ key_sealed: Buffer }>(sql, values);
  return row?.key_sealed;
}

/** The team's current key. Undefined for a team without one. */
export const findCurrentSealedKey = (database: Database, teamId: string) =>
  find(database, currentSql, { team_id: teamId });

/** The same with its audit entry, in one statement: a key is not returned when the entry cannot be written. */
export const viewCurrentSealedKey = (database: Database, teamId: string, auditEntry: string) =>
  find(database, viewSql, { team_id: teamId, audit_entry: auditEntry });

/** The key with one of these hashes, also one that has a successor. Undefined once its row was deleted. */
export const findSealedKey = (database: Database, keyHashes: readonly Buffer[]): Promise<Buffer | undefined> =>
  find(database, byHashSql, { key_hashes: keyHashes });
