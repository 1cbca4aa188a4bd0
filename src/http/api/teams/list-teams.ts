import { Team, TeamList, TeamListQuery } from '../../../contracts/teams.ts';
import { listTeams as list } from '../../../services/teams/read-teams.ts';
import { nextCursorIfPaged } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeTeam } from './serialize-team.ts';

export const listTeams = route(
  {
    operationId: 'listTeams',
    method: 'get',
    path: '/api/teams',
    summary: 'List teams, the oldest first',
    tag: 'Teams',
    access: { audience: ['admin'] },
    query: TeamListQuery,
    limits: { rate: 'management', place: 'lists' },
    response: TeamList,
    csv: { name: 'teams', row: Team, rows: ({ teams }) => teams },
  },
  async (context) => {
    const { query } = context;
    const { counted, rows, next } = await list(context, query);
    return { total: counted!.total, teams: rows.map(serializeTeam), ...nextCursorIfPaged(query, next) };
  },
);
