import { CreditChange, CreditRefund } from '../../../contracts/credits.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { refundCredits as refund } from '../../../services/credits/refund-credits.ts';
import { route } from '../../route.ts';
import { serializeCreditChange } from './serialize-credits.ts';

export const refundCredits = route(
  {
    operationId: 'refundCredits',
    method: 'post',
    path: '/api/teams/{team_id}/credits/refund',
    summary: "Give back a job's deduction, once",
    tag: 'Credits',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    body: { schema: CreditRefund.meta({ example: { reason: 'The summary was of the wrong report' } }) },
    response: CreditChange.meta({
      example: {
        transaction_type: 'refund',
        credits_before: 4,
        credits_after: 5,
        reason: 'The summary was of the wrong report',
        credits_remaining: 5,
      },
    }),
    errors: ['team_not_found', 'job_not_found', 'no_deduction', 'already_refunded'],
  },
  async (context) => {
    const { params, body } = context;
    return serializeCreditChange(await refund(context, { ...params, ...body }));
  },
);
