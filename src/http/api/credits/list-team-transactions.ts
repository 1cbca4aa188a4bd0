import { CreditTransaction, TeamTransactions, TeamTransactionsQuery } from '../../../contracts/credits.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { listTransactions } from '../../../db/credits/list-transactions.ts';
import { requireOwnTeam } from '../../../services/teams/read-teams.ts';
import { nextCursorIfPaged } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeTransaction } from './support/serialize-credits.ts';

export const listTeamTransactions = route(
  {
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
  async ({ deps, caller, params, query }) => {
    const { team_id } = params;
    await requireOwnTeam({ deps, caller }, team_id);
    const { rows, next } = await listTransactions(deps.database, { team_id, ...query });
    return { team_id, transactions: rows.map(serializeTransaction), ...nextCursorIfPaged(query, next) };
  },
);
