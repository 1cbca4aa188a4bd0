import { Message } from '../../../contracts/fields.ts';
import { TeamParams, TeamView } from '../../../contracts/teams.ts';
import { endTeamView as end, openTeamView as open } from '../../../services/teams/view-team.ts';
import { route } from '../../route.ts';

export const openTeamView = route(
  {
    operationId: 'openTeamView',
    method: 'post',
    path: '/api/teams/{team_id}/view',
    summary: 'View the console as a team',
    description:
      "For an hour, a GET of the caller's session with `X-View-As-Team: <team_id>`, percent-encoded, is answered as to a session of the " +
      'team, and every other request with that header is refused. Other requests of the session are as before. The view ends with the ' +
      'session, and when the team is suspended. Audited.',
    tag: 'Session',
    access: { audience: ['admin_user'] },
    limits: { rate: 'management' },
    params: TeamParams,
    response: TeamView,
    errors: ['team_not_found', 'team_suspended'],
  },
  async (context) => {
    const { team_id } = context.params;
    return { team_id, expires_at: (await open(context, team_id)).toISOString() };
  },
);

export const endTeamView = route(
  {
    operationId: 'endTeamView',
    method: 'delete',
    path: '/api/teams/{team_id}/view',
    summary: 'End the view of a team',
    description: 'Sent without `X-View-As-Team`.',
    tag: 'Session',
    access: { audience: ['admin_user'] },
    limits: { rate: 'management' },
    params: TeamParams,
    response: Message.meta({ example: { message: 'View ended successfully' } }),
  },
  async (context) => {
    await end(context, context.params.team_id);
    return { message: 'View ended successfully' };
  },
);
