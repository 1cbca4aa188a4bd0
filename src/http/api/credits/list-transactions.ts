import { CreditTransaction, TransactionList, TransactionListQuery } from '../../../contracts/credits.ts';
import { listTransactions as list } from '../../../db/credits/list-transactions.ts';
import { requireOwnTeam } from '../../../services/teams/read-teams.ts';
import { nextCursorIfPaged } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { resolveTeamId } from './support/resolve-team-id.ts';
import { serializeTransaction } from './support/serialize-credits.ts';

export const listTransactions = route(
  {
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
  async ({ deps, caller, query }) => {
    const team_id = resolveTeamId(caller, query.team_id);
    await requireOwnTeam({ deps, caller }, team_id);
    const { total, rows, next } = await list(deps.database, { ...query, team_id });
    return { team_id, total, transactions: rows.map(serializeTransaction), ...nextCursorIfPaged(query, next) };
  },
);
