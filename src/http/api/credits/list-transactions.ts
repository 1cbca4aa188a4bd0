import { CreditTransaction, TransactionList, TransactionListQuery } from '../../../contracts/credits.ts';
import { listTransactions as list } from '../../../services/credits/read-ledger.ts';
import { nextCursorIfPaged } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { resolveTeamId } from './resolve-team-id.ts';
import { serializeTransaction } from './serialize-credits.ts';

export const listTransactions = route(
  {
    operationId: 'listCreditTransactions',
    method: 'get',
    path: '/api/credits/transactions',
    summary: "List a team's credit transactions, newest first, with their number",
    tag: 'Credits',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'lists' },
    query: TransactionListQuery,
    response: TransactionList,
    csv: { name: 'transactions', row: CreditTransaction, rows: ({ transactions }) => transactions },
    errors: ['key_of_another_team', 'team_not_found'],
  },
  async (context) => {
    const { caller, query } = context;
    const team_id = resolveTeamId(caller, query.team_id);
    const { total, rows, next } = await list(context, { ...query, team_id });
    return { team_id, total, transactions: rows.map(serializeTransaction), ...nextCursorIfPaged(query, next) };
  },
);
