import { CreditAddition, CreditChange } from '../../../contracts/credits.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { allocateCredits } from '../../../db/queries/change-balance.ts';
import { route } from '../../route.ts';
import { changeCredits } from './change-credits.ts';
import { allocationReason } from './default-reasons.ts';

export const addCredits = route(
  {
    method: 'post',
    path: '/api/credits/teams/{team_id}/add',
    summary: 'Allocate credits to a team, by an older path',
    tag: 'Credits',
    auth: ['admin'],
    params: TeamParams,
    body: CreditAddition,
    response: CreditChange,
    errors: ['team_not_found'],
  },
  async (context) => {
    const { credits, reason } = context.body;
    const wanted = {
      team_id: context.params.team_id,
      credits_amount: credits,
      reason: reason ?? allocationReason,
      action: 'allocated_credits',
      field: 'credits',
    };
    return changeCredits(context, wanted, allocateCredits);
  },
);
