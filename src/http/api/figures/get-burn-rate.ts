import { BurnRate } from '../../../contracts/burn-rate.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { refuse } from '../../../errors.ts';
import { requireTeam } from '../../../services/caller.ts';
import { route } from '../../route.ts';
import { burnRateOf } from './support/burn-rate.ts';
import { burnRateExample } from './support/figure-examples.ts';

export const getBurnRate = route(
  {
    method: 'get',
    path: '/api/teams/{team_id}/burn-rate',
    summary: "Estimate how long a team's credits last",
    description: 'From the credits of the last seven days. An estimate: use may change.',
    tag: 'Credits',
    access: { audience: ['team', 'admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    response: BurnRate,
    errors: ['key_of_another_team', 'team_not_found'],
    example: { response: burnRateExample },
  },
  async ({ deps, caller, params: { team_id } }) => {
    requireTeam(caller, team_id);
    const rate = await burnRateOf(deps, team_id);
    if (!rate) throw refuse('team_not_found', team_id);
    return rate;
  },
);
