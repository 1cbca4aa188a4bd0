import { AddCredits, CreditChange } from '../../../contracts/credits.ts';
import { route } from '../../route.ts';
import { allocate, exampleOfAllocation } from './support/change-credits.ts';

export const addCredits = route(
  {
    method: 'post',
    path: '/api/credits/add',
    summary: 'Allocate credits to the team that the body names',
    tag: 'Credits',
    access: { audience: ['admin'] },
    body: { schema: AddCredits },
    response: CreditChange,
    errors: ['team_not_found'],
    example: { body: { amount: 100, reason: 'January top-up' }, response: exampleOfAllocation },
  },
  async (context) => {
    const { team_id, amount, reason } = context.body;
    return allocate(context, { team_id, credits_amount: amount, reason, field: 'amount' });
  },
);
