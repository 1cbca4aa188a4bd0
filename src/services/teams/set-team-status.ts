import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import { setTeamStatus as set } from '../../db/teams/set-team-status.ts';
import type { TeamStatus } from '../../domain/team.ts';
import { refuse } from '../../errors.ts';
import { syncTeams } from '../../litellm/sync-teams.ts';
import type { ServiceContext } from '../context.ts';

const actions = { active: 'resumed_team', suspended: 'suspended_team' } as const;

/** Takes effect here at once, for every request with the team's key; at the upstream as soon as it is reachable. `spec 8.2` */
export async function setTeamStatus(context: ServiceContext, team_id: string, status: TeamStatus): Promise<void> {
  const { deps, newId } = context;
  const entry = auditEntry(newId('audit'), context, {
    action: actions[status],
    resource_type: 'team',
    resource_id: team_id,
  });
  if (!(await set(deps.database, team_id, status, entry))) throw refuse('team_not_found', team_id);
  deps.changes.publish('teams', { team_id });
  await syncTeams(deps, [team_id]);
}
