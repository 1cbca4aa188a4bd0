import { Statement, StatementQuery, StatementRow } from '../../../contracts/statement.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { getStatement as get } from '../../../services/figures/get-statement.ts';
import { route } from '../../route.ts';
import { statementExample } from './figure-examples.ts';
import { serializeStatement, statementRows } from './serialize-statement.ts';

export const getStatement = route(
  {
    operationId: 'getTeamStatement',
    method: 'get',
    path: '/api/teams/{team_id}/statement',
    summary: "Read a team's statement of a month",
    description:
      'The balance at the beginning and the end of the month, what changed it, and the jobs that were created in it, by outcome and type. ' +
      'All figures are of one moment.',
    tag: 'Usage',
    access: { audience: ['team', 'admin'] },
    limits: { rate: 'management', place: 'lists' },
    params: TeamParams,
    query: StatementQuery,
    response: Statement.meta({ example: statementExample }),
    csv: { name: 'statement', row: StatementRow, rows: statementRows },
    errors: ['key_of_another_team', 'team_not_found'],
  },
  async (context) => serializeStatement(await get(context, context.params.team_id, context.query.period)),
);
