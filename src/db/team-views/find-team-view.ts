import type { Database } from '../connection/database.ts';
import { callSettings, settingColumns } from '../entities/team.ts';
import type { TeamOfKey } from '../keys/find-team-by-key.ts';
import { statement } from '../sql/statement.ts';

export interface ViewedTeam extends Omit<TeamOfKey, 'suspended'> {
  expires_at: Date;
}

const sql = statement(
  'find_team_view',
  `select t.team_id, t.organization_id, null as key_id, ${settingColumns(callSettings)},
          least(v.expires_at, s.expires_at) as expires_at
     from team_views v
     join admin_sessions s on s.session_id = v.session_id
     join teams t on t.team_id = v.team_id and t.status = 'active'
     join organizations o on o.organization_id = t.organization_id and o.status = 'active'
    where v.session_id = :session_id and v.team_id = :team_id and v.expires_at > now()`,
);

/** The team, if this session of an admin has a view of it that has not ended: read with every request of the view. */
export async function findTeamView(
  database: Database,
  sessionId: string,
  teamId: string,
): Promise<ViewedTeam | undefined> {
  const [row] = await database.query<ViewedTeam>(sql, { session_id: sessionId, team_id: teamId });
  return row;
}
