import { Team, TeamList, TeamListQuery } from '../../../contracts/teams.ts';
import { listTeams as list } from '../../../db/teams/list-teams.ts';
import { nextCursorIfPaged } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeTeam } from './support/serialize-team.ts';

export const listTeams = route(
  {
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
  async ({ deps, query }) => {
    const { counted, rows, next } = await list(deps.database, query);
    return { total: counted!.total, teams: rows.map(serializeTeam), ...nextCursorIfPaged(query, next) };
  },
);
