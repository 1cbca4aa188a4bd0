import { type Database, statement } from '../database.ts';

export interface TeamOfKey {
  team_id: string;
  organization_id: string;
  rpm_limit: number | null;
  tpm_limit: number | null;
  /** The team itself, or its whole organization. */
  suspended: boolean;
}

const sql = statement(
  'find_team_by_key',
  `select t.team_id, t.organization_id, t.rpm_limit, t.tpm_limit,
          (t.status <> 'active' or o.status <> 'active') as suspended
     from virtual_keys k
     join teams t on t.team_id = k.team_id
     join organizations o on o.organization_id = t.organization_id
    where k.key_hash = $1 and (k.expires_at is null or k.expires_at > now())`,
);

/** One round trip for every request with a key, so that a suspension or a rotation holds at once. */
export async function findTeamByKey(database: Database, keyHash: Buffer): Promise<TeamOfKey | undefined> {
  const [row] = await database.query<TeamOfKey>(sql, [keyHash]);
  return row;
}
