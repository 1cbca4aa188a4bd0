import { TeamParams, TeamWithKey } from '../../../contracts/teams.ts';
import { auditEntry } from '../../../db/audit/audit-entry.ts';
import { findSealedKey, viewCurrentSealedKey } from '../../../db/keys/find-sealed-key.ts';
import { refuse } from '../../../errors.ts';
import { type RequestContext, route } from '../../route.ts';
import { getTeamForCaller } from './support/get-team-for-caller.ts';
import { serializeTeamWithKey } from './support/serialize-team.ts';

export const getTeam = route(
  {
    method: 'get',
    path: '/api/teams/{team_id}',
    summary: 'Read a team with its credits and its key',
    description:
      'A team is shown the key of its request, also while that key has a successor; an admin is shown the current key, which is audited.',
    tag: 'Teams',
    auth: ['team', 'admin'],
    limit: 'management',
    secret: true,
    params: TeamParams,
    response: TeamWithKey,
    errors: ['key_of_another_team', 'team_not_found', 'team_has_no_key'],
  },
  async (context) => {
    const { deps, caller, params } = context;
    const team = await getTeamForCaller(deps, caller, params.team_id);
    return serializeTeamWithKey(team, await visibleKey(context, team.team_id));
  },
);

/**
 * The key that this caller may see, in plain text: for a team the key of its request, never a successor of it. Only an admin gets
 * the current one, which is audited.
 */
async function visibleKey(context: RequestContext, teamId: string): Promise<string> {
  const { deps, caller, newId } = context;
  const sealed =
    caller.kind === 'team'
      ? await findSealedKey(deps.database, caller.key.hashes)
      : await viewCurrentSealedKey(
          deps.database,
          teamId,
          auditEntry(newId('audit'), context, { action: 'viewed_key', resource_type: 'team', resource_id: teamId }),
        );
  if (!sealed) throw caller.kind === 'team' ? refuse('key_invalid') : refuse('team_has_no_key', teamId);
  return deps.secrets.open(sealed, teamId);
}
