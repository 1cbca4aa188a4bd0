import type { JoblessCallPolicy } from '../../domain/team.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

export interface TeamOfKey {
  team_id: string;
  organization_id: string;
  rpm_limit: number | null;
  tpm_limit: number | null;
  max_concurrent_calls: number | null;
  job_key_from: string[];
  jobless_calls: JoblessCallPolicy;
  /** The team itself is suspended, or its whole organization. */
  suspended: boolean;
}

/** Tables and conditions: one row for a key that has not ended, with its team and organization. */
export const validKey = (hashes: string) => `virtual_keys k
     join teams t on t.team_id = k.team_id
     join organizations o on o.organization_id = t.organization_id
    where k.key_hash = any (${hashes}::bytea[]) and (k.expires_at is null or k.expires_at > now())`;

const sql = statement(
  'find_team_by_key',
  `select t.team_id, t.organization_id, t.rpm_limit, t.tpm_limit, t.max_concurrent_calls, t.job_key_from, t.jobless_calls,
          (t.status <> 'active' or o.status <> 'active') as suspended
     from ${validKey(':key_hashes')}`,
);

/** The settings of a team that decide on its calls. */
export type CallSettings = Pick<
  TeamOfKey,
  'rpm_limit' | 'tpm_limit' | 'max_concurrent_calls' | 'job_key_from' | 'jobless_calls'
>;

/** The key that a request presents, with the settings of its team when that was last read. */
export interface PresentedKey extends CallSettings {
  /** Under the current and the previous MASTER_KEY. */
  hashes: readonly Buffer[];
}

export const callSettings = ({
  rpm_limit,
  tpm_limit,
  max_concurrent_calls,
  job_key_from,
  jobless_calls,
}: CallSettings): CallSettings => ({
  rpm_limit,
  tpm_limit,
  max_concurrent_calls,
  job_key_from,
  jobless_calls,
});

export const keyValues = ({ hashes, ...settings }: PresentedKey) => ({ key_hashes: hashes, ...callSettings(settings) });

/**
 * One row while the presented key is unchanged: of the same active team, with the same settings. A fragment, because the statement that
 * admits a call verifies its key too. Parameters: `team_id`, and those of `keyValues`.
 */
export const unchangedKey = `
  unchanged_key as (
    select from ${validKey(':key_hashes')}
      and t.team_id = :team_id and t.status = 'active' and o.status = 'active'
      and t.rpm_limit is not distinct from :rpm_limit::int and t.tpm_limit is not distinct from :tpm_limit::int
      and t.max_concurrent_calls is not distinct from :max_concurrent_calls::int
      and t.job_key_from = :job_key_from::text[] and t.jobless_calls = :jobless_calls
  )`;

/** Read for every request with a key, so that a suspension or a rotation takes effect at once. */
export async function findTeamByKey(database: Database, keyHashes: readonly Buffer[]): Promise<TeamOfKey | undefined> {
  const [row] = await database.query<TeamOfKey>(sql, { key_hashes: keyHashes });
  return row;
}
