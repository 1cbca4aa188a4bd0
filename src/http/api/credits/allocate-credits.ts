import { CreditAllocation, CreditChange } from '../../../contracts/credits.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { allocateCredits as allocate } from '../../../services/credits/change-balance.ts';
import { route } from '../../route.ts';
import { serializeCreditChange } from './serialize-credits.ts';

/** The example of an answer of the three routes that allocate credits. */
export const allocationExample = {
  transaction_type: 'allocation',
  credits_amount: 100,
  credits_after: 104,
  credits_before: 4,
  reason: 'January top-up',
  job_id: null,
  credits_remaining: 104,
};

export const allocateCredits = route(
  {
    operationId: 'allocateCredits',
    method: 'post',
    path: '/api/teams/{team_id}/credits/allocate',
    summary: 'Allocate credits to a team',
    tag: 'Credits',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    body: { schema: CreditAllocation.meta({ example: { credits_amount: 100, reason: 'January top-up' } }) },
    response: CreditChange.meta({ example: allocationExample }),
    errors: ['team_not_found'],
  },
  async (context) => {
    const { params, body } = context;
    return serializeCreditChange(await allocate(context, { ...params, ...body, field: 'credits_amount' }));
  },
);
