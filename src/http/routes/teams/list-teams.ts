import { TeamList, TeamListQuery } from '../../../contracts/teams.ts';
import { listTeams as list } from '../../../db/teams/list-teams.ts';
import { route } from '../../route.ts';
import { serializeTeam } from './support/serialize-team.ts';

export const listTeams = route(
  {
    method: 'get',
    path: '/api/teams',
    summary: 'List teams, the oldest first',
    tag: 'Teams',
    auth: ['admin'],
    quota: 'lists',
    limit: 'management',
    query: TeamListQuery,
    response: TeamList,
  },
  async ({ deps, query }) => {
    const { total, rows } = await list(deps.database, query);
    return { total, teams: rows.map(serializeTeam) };
  },
);
