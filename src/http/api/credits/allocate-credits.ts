import { CreditAllocation, CreditChange } from '../../../contracts/credits.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { route } from '../../route.ts';
import { allocate, exampleOfAllocation } from './support/change-credits.ts';

export const allocateCredits = route(
  {
    method: 'post',
    path: '/api/teams/{team_id}/credits/allocate',
    summary: 'Allocate credits to a team',
    tag: 'Credits',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    body: { schema: CreditAllocation },
    response: CreditChange,
    errors: ['team_not_found'],
    example: { body: { credits_amount: 100, reason: 'January top-up' }, response: exampleOfAllocation },
  },
  async (context) => {
    const { params, body } = context;
    const { credits_amount, reason } = body;
    return allocate(context, { ...params, credits_amount, reason, field: 'credits_amount' });
  },
);
