import type { Database } from '../connection/database.ts';
import { deleteInBatches } from '../sql/delete-in-batches.ts';
import { statement } from '../sql/statement.ts';

/** The team and the time that its stored payloads do not have yet. */
interface ChangedRetention {
  team_id: string;
  payload_retention_days: number | null;
}

const changedSql = statement(
  'list_changed_retention',
  `select team_id, payload_retention_days from teams
    where payload_retention_applied is distinct from payload_retention_days order by team_id limit 100`,
);

const applySql = statement(
  'apply_retention',
  `update call_payloads set retention_days = :days::int
    where call_id in (select p.call_id from call_payloads p join calls c on c.call_id = p.call_id
                       where c.team_id = :team_id and p.retention_days is distinct from :days::int limit :at_most)
   returning call_id`,
);

const appliedSql = statement(
  'retention_applied',
  `update teams set payload_retention_applied = :days::int
    where team_id = :team_id and payload_retention_days is not distinct from :days::int`,
);

/** Gives the stored payloads of teams whose `payload_retention_days` was changed the new time. Returns how many. */
export async function applyChangedRetention(database: Database, afterBatch: () => void): Promise<number> {
  let changed = 0;
  for (const { team_id, payload_retention_days: days } of await database.query<ChangedRetention>(changedSql)) {
    changed += await deleteInBatches(
      async (at_most) => (await database.query(applySql, { team_id, days, at_most })).length,
      afterBatch,
    );
    await database.query(appliedSql, { team_id, days });
  }
  return changed;
}

/** With 0 days, ten minutes after the end of the call: until then its client can repeat the request and receive the answer. */
const dueSql = statement(
  'delete_payloads_of_teams',
  `with times as (
     select distinct payload_retention_days as days from teams where payload_retention_days is not null
   ), due as (
     select p.call_id
       from times
       join call_payloads p on p.retention_days = times.days
                           and p.created_at < now() - greatest(make_interval(days => times.days), interval '10 minutes')
       join calls c on c.call_id = p.call_id
      where c.finished_at < now() - interval '10 minutes'
      limit :at_most
   )
   delete from call_payloads where call_id in (select call_id from due) returning call_id`,
);

/** Deletes the payloads whose team has a time of its own, when that is over. Returns how many. */
export const deletePayloadsOfTeams = (database: Database, afterBatch: () => void): Promise<number> =>
  deleteInBatches(async (at_most) => (await database.query(dueSql, { at_most })).length, afterBatch);
