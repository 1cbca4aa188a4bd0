import { BurnRate } from '../../../contracts/burn-rate.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { getBurnRate as get } from '../../../services/figures/get-burn-rate.ts';
import { route } from '../../route.ts';
import { burnRateExample } from './figure-examples.ts';

export const getBurnRate = route(
  {
    operationId: 'getTeamBurnRate',
    method: 'get',
    path: '/api/teams/{team_id}/burn-rate',
    summary: "Estimate how long a team's credits last",
    description: 'From the credits of the last seven days. An estimate: use may change.',
    tag: 'Credits',
    access: { audience: ['team', 'admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    response: BurnRate.meta({ example: burnRateExample }),
    errors: ['key_of_another_team', 'team_not_found'],
  },
  (context) => get(context, context.params.team_id),
);
