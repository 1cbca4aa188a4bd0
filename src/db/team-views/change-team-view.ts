import { auditOnceAMinute } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** A view, and the entry for `audit`. */
interface TeamViewChange {
  session_id: string;
  team_id: string;
  audit_entry: string;
}

const openSql = statement(
  'open_team_view',
  `with opened as (
     insert into team_views as v (session_id, team_id, expires_at)
     select :session_id::uuid, t.team_id, now() + make_interval(secs => :lifetime_seconds)
       from teams t join organizations o on o.organization_id = t.organization_id
      where t.team_id = :team_id and t.status = 'active' and o.status = 'active'
         on conflict (session_id, team_id) do update set expires_at = excluded.expires_at
     returning v.expires_at
   ), entry as (${auditOnceAMinute('opened')})
   select expires_at from opened`,
);

/** Opens a view, or begins its time anew. Returns its end; undefined: there is no active team of this id. */
export async function openTeamView(
  database: Database,
  view: TeamViewChange & { lifetime_seconds: number },
): Promise<Date | undefined> {
  const [row] = await database.query<{ expires_at: Date }>(openSql, { ...view });
  return row?.expires_at;
}

const endSql = statement(
  'end_team_view',
  `with ended as (
     delete from team_views where session_id = :session_id and team_id = :team_id returning session_id
   ) ${auditOnceAMinute('ended')}`,
);

/** Nothing happens where the session has no view of the team. */
export const endTeamView = (database: Database, view: TeamViewChange): Promise<unknown> =>
  database.query(endSql, { ...view });
