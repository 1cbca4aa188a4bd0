import type { z } from 'zod';
import type { ChangedTeamStatus, TeamParams } from '../../../../contracts/teams.ts';
import { auditEntry } from '../../../../db/audit/audit-entry.ts';
import { setTeamStatus } from '../../../../db/teams/set-team-status.ts';
import { refuse } from '../../../../errors.ts';
import { syncTeams } from '../../../../litellm/sync-teams.ts';
import type { RequestContext } from '../../../route.ts';

const verbs = { active: 'resumed', suspended: 'suspended' } as const;

/** Takes effect here at once, for every request with the team's key; at the upstream as soon as it is reachable. `spec 8.2` */
export async function setStatus(
  context: RequestContext<z.output<typeof TeamParams>>,
  status: keyof typeof verbs,
): Promise<z.input<typeof ChangedTeamStatus>> {
  const { deps, params, newId } = context;
  const { team_id } = params;
  const entry = auditEntry(newId('audit'), context, {
    action: `${verbs[status]}_team`,
    resource_type: 'team',
    resource_id: team_id,
  });
  if (!(await setTeamStatus(deps.database, team_id, status, entry))) throw refuse('team_not_found', team_id);
  deps.changes.publish('teams', { team_id });
  await syncTeams(deps, [team_id]);
  return { team_id, status, message: `Team '${team_id}' ${verbs[status]} successfully` };
}
