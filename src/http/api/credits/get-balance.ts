import { Balance, BalanceQuery } from '../../../contracts/credits.ts';
import { getTeamForCaller } from '../../../services/teams/read-teams.ts';
import { route } from '../../route.ts';
import { serializeTeam } from '../teams/serialize-team.ts';
import { resolveTeamId } from './resolve-team-id.ts';

export const getBalance = route(
  {
    operationId: 'getCreditBalance',
    method: 'get',
    path: '/api/credits/balance',
    summary: "Read a team's credits, and how they are refilled and charged",
    tag: 'Credits',
    access: { audience: ['team', 'admin'] },
    query: BalanceQuery,
    response: Balance,
    errors: ['key_of_another_team', 'team_not_found'],
  },
  async (context) => {
    const { caller, query } = context;
    return serializeTeam(await getTeamForCaller(context, resolveTeamId(caller, query.team_id)));
  },
);
