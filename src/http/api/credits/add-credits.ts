import { AddCredits, CreditChange } from '../../../contracts/credits.ts';
import { allocateCredits } from '../../../services/credits/change-balance.ts';
import { route } from '../../route.ts';
import { allocationExample } from './allocate-credits.ts';
import { serializeCreditChange } from './serialize-credits.ts';

export const addCredits = route(
  {
    operationId: 'addCredits',
    method: 'post',
    path: '/api/credits/add',
    summary: 'Allocate credits to the team that the body names',
    tag: 'Credits',
    access: { audience: ['admin'] },
    body: { schema: AddCredits.meta({ example: { amount: 100, reason: 'January top-up' } }) },
    response: CreditChange.meta({ example: allocationExample }),
    errors: ['team_not_found'],
  },
  async (context) => {
    const { team_id, amount, reason } = context.body;
    const allocation = { team_id, credits_amount: amount, reason, field: 'amount' };
    return serializeCreditChange(await allocateCredits(context, allocation));
  },
);
