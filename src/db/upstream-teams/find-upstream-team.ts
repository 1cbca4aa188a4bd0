import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { type GrantedModels, grantedModelsOfTeam } from './list-granted-models.ts';

/** What the upstream receives of a team. */
export interface UpstreamTeamRow extends GrantedModels {
  team_id: string;
  /** Its id at the upstream. */
  proxy_team_id: string;
  team_alias: string | null;
  organization_id: string;
  proxy_organization_id: string | null;
  /** The team itself is suspended, or its organization. */
  suspended: boolean;
  /** A decimal in USD; null: calculated from the credits. */
  max_budget: string | null;
  credits_allocated: number;
  /** Null: unlimited, and the credits give no budget. */
  credit_limit: number | null;
  key_sealed: Buffer;
  /** Keys that were replaced by a rotation and whose end the upstream has not received. */
  ending_keys: EndingKey[];
  /** The models that its unfinished calls may use. */
  models_in_use: string[];
  /** An unfinished call was begun with a key that has been replaced. */
  old_key_in_use: boolean;
}

export interface EndingKey {
  key_sealed: Buffer;
  /** The seconds from now on; 0 when it has ended. */
  grace_seconds: number;
}

const sql = statement(
  'find_upstream_team',
  `select t.team_id, t.proxy_team_id, t.team_alias, t.organization_id, o.proxy_organization_id,
          t.status <> 'active' or o.status <> 'active' as suspended, t.max_budget, a.credits_allocated, a.credit_limit,
          k.key_sealed,
          coalesce((select json_agg(json_build_object(
                             'key_sealed', encode(old.key_sealed, 'base64'),
                             'grace_seconds', greatest(0, ceil(extract(epoch from old.expires_at - clock_timestamp()))::int)))
                      from virtual_keys old
                     where old.team_id = t.team_id and old.expires_at is not null and not old.end_sent_upstream), '[]')
            as ending_keys,
          array(select distinct candidate ->> 'model'
                  from calls c cross join jsonb_array_elements(c.candidates) candidate
                 where c.team_id = t.team_id and c.finished_at is null) as models_in_use,
          exists (select from calls c where c.team_id = t.team_id and c.finished_at is null and c.started_at < k.created_at)
            as old_key_in_use,
          ${grantedModelsOfTeam('t.team_id')}
     from teams t
     join organizations o on o.organization_id = t.organization_id
     join credit_accounts a on a.team_id = t.team_id
     join virtual_keys k on k.team_id = t.team_id and k.expires_at is null
    where t.team_id = :team_id`,
);

type Row = Omit<UpstreamTeamRow, 'ending_keys'> & { ending_keys: { key_sealed: string; grace_seconds: number }[] };

/** Undefined if there is no such team, or it has no key: then the upstream cannot have it. */
export async function findUpstreamTeam(database: Database, teamId: string): Promise<UpstreamTeamRow | undefined> {
  const [row] = await database.query<Row>(sql, { team_id: teamId });
  return (
    row && {
      ...row,
      ending_keys: row.ending_keys.map((key) => ({ ...key, key_sealed: Buffer.from(key.key_sealed, 'base64') })),
    }
  );
}

const endsSentSql = statement(
  'mark_key_ends_sent',
  `update virtual_keys set end_sent_upstream = true
    where team_id = :team_id and key_sealed = any (:keys_sealed::bytea[]) and expires_at is not null`,
);

/** Records that the upstream has received the ends of the keys. */
export const markKeyEndsSent = (database: Database, teamId: string, keys: readonly EndingKey[]) =>
  database.query(endsSentSql, { team_id: teamId, keys_sealed: keys.map((key) => key.key_sealed) });
