import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { isValid } from './every-key.ts';

/** The first key of a team, or one before it that serves on after a rotation. */
export interface FirstKeyRow {
  key_sealed: Buffer;
  created_at: Date;
  /** Null: the current one. */
  expires_at: Date | null;
  last_used_at: Date | null;
}

const sql = statement(
  'list_first_keys',
  `select k.key_sealed, k.created_at, k.expires_at, k.last_used_at
     from virtual_keys k where k.team_id = :team_id and ${isValid('k')}
    order by k.expires_at desc nulls first, k.created_at desc`,
);

/** The current one first. */
export const listFirstKeys = ({ reports }: Database, team_id: string): Promise<FirstKeyRow[]> =>
  reports.query<FirstKeyRow>(sql, { team_id });
