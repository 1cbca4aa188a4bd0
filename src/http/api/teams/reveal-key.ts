import { RevealedKey, TeamParams } from '../../../contracts/teams.ts';
import { revealKey as reveal } from '../../../services/teams/show-key.ts';
import { route } from '../../route.ts';

export const revealKey = route(
  {
    operationId: 'revealTeamKey',
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
    const { team_id } = context.params;
    return { team_id, virtual_key: await reveal(context, team_id) };
  },
);
