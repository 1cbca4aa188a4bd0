import { Ledger, LedgerQuery, LedgerTransaction } from '../../../contracts/credits.ts';
import { listLedger as list } from '../../../services/credits/read-ledger.ts';
import { nextCursor } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeTransaction } from './serialize-credits.ts';

export const listLedger = route(
  {
    operationId: 'listLedger',
    method: 'get',
    path: '/api/transactions',
    summary: 'List credit transactions of all teams, newest first, with their sums',
    description:
      'A team sees its own, an admin those of every team. Transactions are found by the time at which they were made.',
    tag: 'Credits',
    access: { audience: ['team', 'admin'] },
    query: LedgerQuery,
    limits: { rate: 'management', place: 'lists' },
    response: Ledger.meta({ example: { sum_credits: { deduction: 1, allocation: 0, refund: 0, adjustment: 0 } } }),
    csv: { name: 'transactions', row: LedgerTransaction, rows: ({ transactions }) => transactions },
    errors: ['key_of_another_team', 'key_of_another_organization'],
  },
  async (context) => {
    const { counted, rows, next } = await list(context, context.query);
    return {
      total: counted?.total ?? null,
      sum_credits: counted,
      transactions: rows.map((row) => ({
        ...serializeTransaction(row),
        team_id: row.team_id,
        organization_id: row.organization_id,
      })),
      next_cursor: nextCursor(next),
    };
  },
);
