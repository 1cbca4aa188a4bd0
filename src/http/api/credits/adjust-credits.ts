import { CreditAdjustment, CreditChange } from '../../../contracts/credits.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { adjustCredits as adjust } from '../../../services/credits/change-balance.ts';
import { route } from '../../route.ts';
import { serializeCreditChange } from './serialize-credits.ts';

export const adjustCredits = route(
  {
    operationId: 'adjustCredits',
    method: 'post',
    path: '/api/teams/{team_id}/credits/adjust',
    summary: "Correct a team's balance, up or down",
    description: 'A fixed budget cannot be taken below 0. Its `credit_limit` stays as it is.',
    tag: 'Credits',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    body: {
      schema: CreditAdjustment.meta({ example: { credits_amount: -2, reason: 'Invoice 1042 was paid in part' } }),
    },
    response: CreditChange.meta({
      example: {
        transaction_type: 'adjustment',
        credits_amount: -2,
        credits_before: 4,
        credits_after: 2,
        reason: 'Invoice 1042 was paid in part',
        job_id: null,
        credits_remaining: 2,
      },
    }),
    errors: ['team_not_found'],
  },
  async (context) => {
    const { params, body } = context;
    return serializeCreditChange(await adjust(context, { ...params, ...body, field: 'credits_amount' }));
  },
);
