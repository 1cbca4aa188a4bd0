import { CreditTransaction, TeamTransactions, TeamTransactionsQuery } from '../../../contracts/credits.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { listTransactions } from '../../../services/credits/read-ledger.ts';
import { nextCursorIfPaged } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeTransaction } from './serialize-credits.ts';

export const listTeamTransactions = route(
  {
    operationId: 'listTeamCreditTransactions',
    method: 'get',
    path: '/api/teams/{team_id}/credits/transactions',
    summary: "List a team's credit transactions, newest first",
    tag: 'Credits',
    access: { audience: ['team', 'admin'] },
    params: TeamParams,
    limits: { rate: 'management', place: 'lists' },
    query: TeamTransactionsQuery,
    response: TeamTransactions,
    csv: { name: 'transactions', row: CreditTransaction, rows: ({ transactions }) => transactions },
    errors: ['key_of_another_team', 'team_not_found'],
  },
  async (context) => {
    const { params, query } = context;
    const { team_id } = params;
    const { rows, next } = await listTransactions(context, { team_id, ...query });
    return { team_id, transactions: rows.map(serializeTransaction), ...nextCursorIfPaged(query, next) };
  },
);
