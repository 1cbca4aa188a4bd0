import { ErasedUser, TeamParams, UserErasure } from '../../../contracts/teams.ts';
import { eraseUser as erase } from '../../../services/teams/erase-user.ts';
import { route } from '../../route.ts';

export const eraseUser = route(
  {
    operationId: 'eraseUser',
    method: 'post',
    path: '/api/teams/{team_id}/erase',
    summary: "Erase one of the client's own users from the jobs of a team",
    description:
      'Jobs of the user that have ended lose requests, responses, deliveries, `user_id`, `external_task_id`, metadata and error texts. ' +
      'Sums, transactions and the audit log stay.',
    tag: 'Teams',
    access: { audience: ['team', 'admin'] },
    params: TeamParams,
    body: { schema: UserErasure.meta({ example: { user_id: 'user-17' } }) },
    response: ErasedUser,
    errors: ['key_of_another_team', 'team_not_found'],
  },
  (context) => erase(context, context.params.team_id, context.body.user_id),
);
