import type { TeamStatus } from '../../domain/team.ts';
import { audit } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { deleteTeamSessions } from '../team-sessions/delete-team-sessions.ts';
import { insertUpstreamChange } from '../upstream-teams/record-change.ts';

const sql = statement(
  'set_team_status',
  `with team as (
     select team_id, status from teams where team_id = :team_id for no key update
   ), changed as (
     update teams t set status = :status, updated_at = clock_timestamp()
       from team where t.team_id = team.team_id and team.status <> :status
     returning t.team_id
   ), signed_out as (${deleteTeamSessions('changed', ":status = 'suspended'")}
   ), audited as (${audit('changed')}), upstream_change as (${insertUpstreamChange('changed')})
   select team_id from team`,
);

/** Sets the status, and audits it only if it changes. False: there is no such team. */
export async function setTeamStatus(
  database: Database,
  teamId: string,
  status: TeamStatus,
  auditEntry: string,
): Promise<boolean> {
  return (await database.query(sql, { team_id: teamId, status, audit_entry: auditEntry })).length > 0;
}
