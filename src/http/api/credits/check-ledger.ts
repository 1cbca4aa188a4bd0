import { LedgerCheck } from '../../../contracts/credits.ts';
import { checkLedger as check } from '../../../services/credits/read-ledger.ts';
import { route } from '../../route.ts';

export const checkLedger = route(
  {
    operationId: 'checkLedger',
    method: 'get',
    path: '/api/ledger/check',
    summary: 'Compare the balance of every account with the sum of its ledger',
    tag: 'Credits',
    access: { audience: ['admin'] },
    response: LedgerCheck.meta({ example: { accounts: 12, consistent: true, mismatches: [] } }),
    limits: { rate: 'management', place: 'lists' },
  },
  async (context) => {
    const { checked_at, accounts, mismatches } = await check(context);
    return { checked_at: checked_at.toISOString(), accounts, consistent: mismatches.length === 0, mismatches };
  },
);
