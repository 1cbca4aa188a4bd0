import { AddTeamCredits, CreditChange } from '../../../contracts/credits.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { allocateCredits } from '../../../services/credits/change-balance.ts';
import { route } from '../../route.ts';
import { allocationExample } from './allocate-credits.ts';
import { serializeCreditChange } from './serialize-credits.ts';

export const addTeamCredits = route(
  {
    operationId: 'addTeamCredits',
    method: 'post',
    path: '/api/credits/teams/{team_id}/add',
    summary: 'Allocate credits to a team, by an older path',
    tag: 'Credits',
    access: { audience: ['admin'] },
    params: TeamParams,
    body: { schema: AddTeamCredits.meta({ example: { credits: 100, reason: 'January top-up' } }) },
    response: CreditChange.meta({ example: allocationExample }),
    errors: ['team_not_found'],
  },
  async (context) => {
    const { params, body } = context;
    const { credits, reason } = body;
    const allocation = { ...params, credits_amount: credits, reason, field: 'credits' };
    return serializeCreditChange(await allocateCredits(context, allocation));
  },
);
