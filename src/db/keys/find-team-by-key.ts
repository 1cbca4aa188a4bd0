import type { Database } from '../connection/database.ts';
import { type CallSettings, callSettings, settingColumns } from '../entities/team.ts';
import { statement } from '../sql/statement.ts';
import { everyKey, isPresented, isValid } from './every-key.ts';

export interface TeamOfKey extends CallSettings {
  team_id: string;
  organization_id: string;
  /** Null for the team's first key. */
  key_id: string | null;
  /** The team itself is suspended, or its whole organization. */
  suspended: boolean;
}

/** Tables and conditions: a row for each key that meets the condition and has not ended, with its team and organization. */
export const validKey = (condition: string) => `${everyKey} k
     join teams t on t.team_id = k.team_id
     join organizations o on o.organization_id = t.organization_id
    where ${condition} and ${isValid('k')}`;

const sql = statement(
  'find_team_by_key',
  `select t.team_id, t.organization_id, k.key_id, ${settingColumns(callSettings)},
          (t.status <> 'active' or o.status <> 'active') as suspended
     from ${validKey(isPresented('k'))}`,
);

/** The key that a request presents, with the settings of its team when that was last read. */
export interface PresentedKey extends CallSettings {
  /** The hashes under the current and the previous MASTER_KEY. */
  hashes: readonly Buffer[];
}

export const keyValues = ({ hashes, ...settings }: PresentedKey) => ({ key_hashes: hashes, ...settings });

/**
 * One row while the presented key is unchanged: of the same active team, with the same settings. It has how long the team keeps texts. A fragment, because the statement that
 * admits a call verifies its key too, because its body may arrive later: `spec 2.11`. Parameters: `team_id`, and those of `keyValues`.
 */
export const unchangedKey = `
  unchanged_key as (
    select t.payload_retention_days from ${validKey(isPresented('k'))}
      and t.team_id = :team_id and t.status = 'active' and o.status = 'active'
      and ${callSettings.map((name) => `t.${name} is not distinct from :${name}`).join(' and ')}
  )`;

/** Every request with a key reads this, so that a suspension or a rotation takes effect at once. */
export async function findTeamByKey(database: Database, keyHashes: readonly Buffer[]): Promise<TeamOfKey | undefined> {
  const [row] = await database.query<TeamOfKey>(sql, { key_hashes: keyHashes });
  return row;
}
