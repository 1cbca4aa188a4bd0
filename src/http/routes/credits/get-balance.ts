import { Balance, BalanceQuery } from '../../../contracts/credits.ts';
import { route } from '../../route.ts';
import { findOwnTeam } from '../teams/find-own-team.ts';
import { creditsOf, settingsOf } from '../teams/show-team.ts';
import { teamInQuestion } from './team-in-question.ts';

export const getBalance = route(
  {
    method: 'get',
    path: '/api/credits/balance',
    summary: "Read a team's credits, and how they are refilled and charged",
    tag: 'Credits',
    auth: ['team', 'admin'],
    query: BalanceQuery,
    response: Balance,
    errors: ['key_of_another_team', 'team_not_found'],
  },
  async ({ deps, caller, query }) => {
    const team = await findOwnTeam(deps, caller, teamInQuestion(caller, query.team_id));
    return { team_id: team.team_id, ...creditsOf(team), ...settingsOf(team) };
  },
);
