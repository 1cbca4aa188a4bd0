import { CreditAdditionToTeam, CreditChange } from '../../../contracts/credits.ts';
import { allocateCredits } from '../../../db/queries/change-balance.ts';
import { route } from '../../route.ts';
import { changeCredits } from './change-credits.ts';
import { allocationReason } from './default-reasons.ts';

export const addCreditsToTeam = route(
  {
    method: 'post',
    path: '/api/credits/add',
    summary: 'Allocate credits to the team that the body names',
    tag: 'Credits',
    auth: ['admin'],
    body: CreditAdditionToTeam,
    response: CreditChange,
    errors: ['team_not_found'],
  },
  async (context) => {
    const { team_id, amount, reason } = context.body;
    const wanted = {
      team_id,
      credits_amount: amount,
      reason: reason ?? allocationReason,
      action: 'allocated_credits',
      field: 'amount',
    };
    return changeCredits(context, wanted, allocateCredits);
  },
);
