import type { JoblessCallPolicy } from '../../domain/team.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

export interface TeamOfKey {
  team_id: string;
  organization_id: string;
  rpm_limit: number | null;
  tpm_limit: number | null;
  job_key_from: string[];
  jobless_calls: JoblessCallPolicy;
  /** The team itself is suspended, or its whole organization. */
  suspended: boolean;
}

/** Tables and conditions: one row for a key that has not ended, with its team and organization. */
const validKey = (hash: string) => `virtual_keys k
     join teams t on t.team_id = k.team_id
     join organizations o on o.organization_id = t.organization_id
    where k.key_hash = ${hash} and (k.expires_at is null or k.expires_at > now())`;

const sql = statement(
  'find_team_by_key',
  `select t.team_id, t.organization_id, t.rpm_limit, t.tpm_limit, t.job_key_from, t.jobless_calls,
          (t.status <> 'active' or o.status <> 'active') as suspended
     from ${validKey(':key_hash')}`,
);

/** The settings of a team that decide on its calls. */
export type CallSettings = Pick<TeamOfKey, 'rpm_limit' | 'tpm_limit' | 'job_key_from' | 'jobless_calls'>;

/** The key that a caller was admitted by, with the settings of its team known then. */
export interface ShownKey extends CallSettings {
  hash: Buffer;
}

export const callSettings = ({ rpm_limit, tpm_limit, job_key_from, jobless_calls }: CallSettings): CallSettings => ({
  rpm_limit,
  tpm_limit,
  job_key_from,
  jobless_calls,
});

export const keyValues = ({ hash, ...settings }: ShownKey) => ({ key_hash: hash, ...callSettings(settings) });

/**
 * One row while a shown key is unchanged: of the same active team, with the same settings. A fragment, because the statement that
 * admits a call verifies its key too. Parameters: `team_id`, and those of `keyValues`.
 */
export const unchangedKey = `
  unchanged_key as (
    select from ${validKey(':key_hash')}
      and t.team_id = :team_id and t.status = 'active' and o.status = 'active'
      and t.rpm_limit is not distinct from :rpm_limit::int and t.tpm_limit is not distinct from :tpm_limit::int
      and t.job_key_from = :job_key_from::text[] and t.jobless_calls = :jobless_calls
  )`;

const holdsSql = statement('key_holds', `with ${unchangedKey} select exists (select from unchanged_key) as holds`);

/** The same check as a statement, where no call is admitted. */
export async function keyHolds(database: Database, teamId: string, key: ShownKey): Promise<boolean> {
  const [row] = await database.query<{ holds: boolean }>(holdsSql, { team_id: teamId, ...keyValues(key) });
  return row!.holds;
}

/**
 * Read for every request with a key, so that a suspension or a rotation takes effect at once; a call's own statement can check
 * it instead.
 */
export async function findTeamByKey(database: Database, keyHash: Buffer): Promise<TeamOfKey | undefined> {
  const [row] = await database.query<TeamOfKey>(sql, { key_hash: keyHash });
  return row;
}
