import { LedgerCheck } from '../../../contracts/credits.ts';
import { checkLedger as check } from '../../../db/credits/check-ledger.ts';
import { databaseTime } from '../../../db/sql/database-clock.ts';
import { route } from '../../route.ts';

export const checkLedger = route(
  {
    method: 'get',
    path: '/api/ledger/check',
    summary: 'Compare the balance of every account with the sum of its ledger',
    tag: 'Credits',
    access: { audience: ['admin'] },
    response: LedgerCheck,
    limits: { rate: 'management', place: 'lists' },
    example: { response: { accounts: 12, consistent: true, mismatches: [] } },
  },
  async ({ deps }) => {
    const { checked_at, accounts, mismatches } = await check(deps.database, await databaseTime(deps.database));
    return { checked_at: checked_at.toISOString(), accounts, consistent: mismatches.length === 0, mismatches };
  },
);
