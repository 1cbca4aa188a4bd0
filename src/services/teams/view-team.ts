import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import { endTeamView as end, openTeamView as open } from '../../db/team-views/change-team-view.ts';
import { refuse } from '../../errors.ts';
import { requireUser } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { requireOwnTeam } from './read-teams.ts';

/** Long enough to answer a customer, and short enough to be forgotten. */
const viewSeconds = 60 * 60;

/** Lets the session of an admin read as this team does. Returns until when. `spec 19.17` */
export async function openTeamView(context: ServiceContext, teamId: string): Promise<Date> {
  await requireOwnTeam(context, teamId);
  const expiresAt = await open(context.deps.database, {
    ...change(context, teamId, 'opened_team_view'),
    lifetime_seconds: viewSeconds,
  });
  if (!expiresAt) throw refuse('team_suspended', teamId);
  return expiresAt;
}

export async function endTeamView(context: ServiceContext, teamId: string): Promise<void> {
  await end(context.deps.database, change(context, teamId, 'ended_team_view'));
}

function change(context: ServiceContext, team_id: string, action: 'opened_team_view' | 'ended_team_view') {
  const entry = { action, resource_type: 'team', resource_id: team_id };
  return {
    session_id: requireUser(context.caller).sessionId,
    team_id,
    audit_entry: auditEntry(context.newId('audit'), context, entry),
  };
}
