import { Balance, BalanceQuery } from '../../../contracts/credits.ts';
import { route } from '../../route.ts';
import { getTeamForCaller } from '../teams/support/get-team-for-caller.ts';
import { creditsOf, settingsOf } from '../teams/support/serialize-team.ts';
import { resolveTeamId } from './support/resolve-team-id.ts';

export const getBalance = route(
  {
    method: 'get',
    path: '/api/credits/balance',
    summary: "Read a team's credits, and how they are refilled and charged",
    tag: 'Credits',
    access: { audience: ['team', 'admin'] },
    query: BalanceQuery,
    response: Balance,
    errors: ['key_of_another_team', 'team_not_found'],
  },
  async ({ deps, caller, query }) => {
    const team = await getTeamForCaller(deps, caller, resolveTeamId(caller, query.team_id));
    return { team_id: team.team_id, ...creditsOf(team), ...settingsOf(team) };
  },
);
