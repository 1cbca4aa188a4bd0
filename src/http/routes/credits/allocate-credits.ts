import { CreditAllocation, CreditChange } from '../../../contracts/credits.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { allocateCredits as allocate } from '../../../db/queries/change-balance.ts';
import { route } from '../../route.ts';
import { changeCredits } from './change-credits.ts';
import { allocationReason } from './default-reasons.ts';

export const allocateCredits = route(
  {
    method: 'post',
    path: '/api/teams/{team_id}/credits/allocate',
    summary: 'Allocate credits to a team',
    tag: 'Credits',
    auth: ['admin'],
    limit: 'management',
    params: TeamParams,
    body: CreditAllocation,
    response: CreditChange,
    errors: ['team_not_found'],
    example: { body: { credits_amount: 100, reason: 'January top-up' } },
  },
  async (context) => {
    const { credits_amount, reason } = context.body;
    const wanted = {
      team_id: context.params.team_id,
      credits_amount,
      reason: reason ?? allocationReason,
      action: 'allocated_credits',
      field: 'credits_amount',
    };
    return changeCredits(context, wanted, allocate);
  },
);
