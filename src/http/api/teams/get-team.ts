import { maskKey } from '../../../auth/virtual-key.ts';
import { TeamParams, TeamWithKey } from '../../../contracts/teams.ts';
import { findCurrentSealedKey, findSealedKey } from '../../../db/keys/find-sealed-key.ts';
import { refuse } from '../../../errors.ts';
import { cookieOf } from '../../../services/caller.ts';
import { type RequestContext, route } from '../../route.ts';
import { getTeamForCaller } from './support/get-team-for-caller.ts';
import { serializeTeamWithKey } from './support/serialize-team.ts';
import { viewCurrentKey } from './support/view-current-key.ts';

export const getTeam = route(
  {
    method: 'get',
    path: '/api/teams/{team_id}',
    summary: 'Read a team with its credits and its key',
    description:
      'A team is shown the key of its request, also while that key has a successor; an admin is shown the current key, which is audited. With the cookie of a session only the last four characters of the key are shown.',
    tag: 'Teams',
    access: { audience: ['team', 'admin'] },
    limits: { rate: 'management' },
    secret: true,
    params: TeamParams,
    response: TeamWithKey,
    errors: ['key_of_another_team', 'team_not_found', 'team_has_no_key'],
  },
  async (context) => {
    const { deps, caller, params } = context;
    const team = await getTeamForCaller(deps, caller, params.team_id);
    const key = cookieOf(caller)
      ? maskKey(await ownKey(context, team.team_id))
      : await visibleKey(context, team.team_id);
    return serializeTeamWithKey(team, key);
  },
);

/** The key of a team's request, never a successor of it; for an admin the current key. */
async function ownKey({ deps, caller }: RequestContext, teamId: string): Promise<string> {
  const sealed =
    caller.kind === 'team'
      ? await findSealedKey(deps.database, caller.key.hashes)
      : await findCurrentSealedKey(deps.database, teamId);
  if (!sealed) throw caller.kind === 'team' ? refuse('key_invalid') : refuse('team_has_no_key', teamId);
  return deps.secrets.open(sealed, teamId);
}

/** The same in plain text. That an admin has seen it is audited. */
const visibleKey = (context: RequestContext, teamId: string): Promise<string> =>
  context.caller.kind === 'team' ? ownKey(context, teamId) : viewCurrentKey(context, teamId, 'viewed_key');
