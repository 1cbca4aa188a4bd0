import { RevealedKey, TeamParams } from '../../../contracts/teams.ts';
import { route } from '../../route.ts';
import { requireOwnTeam } from './support/get-team-for-caller.ts';
import { viewCurrentKey } from './support/view-current-key.ts';

export const revealKey = route(
  {
    method: 'post',
    path: '/api/teams/{team_id}/reveal-key',
    summary: "Show a team's current key",
    description: 'For a session by cookie, which is shown only the end of a key elsewhere. Audited.',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    secret: true,
    params: TeamParams,
    response: RevealedKey,
    errors: ['team_not_found', 'team_has_no_key'],
  },
  async (context) => {
    const { deps, caller, params } = context;
    const { team_id } = params;
    await requireOwnTeam(deps, caller, team_id);
    return { team_id, virtual_key: await viewCurrentKey(context, team_id, 'revealed_key') };
  },
);
