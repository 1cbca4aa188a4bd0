import { SearchQuery, SearchResults } from '../../../contracts/search.ts';
import { search as find } from '../../../services/search/search.ts';
import { route } from '../../route.ts';

export const search = route(
  {
    operationId: 'search',
    method: 'get',
    path: '/api/search',
    summary: 'Find what an id, a reference or a name belongs to',
    description:
      'Jobs, calls, deliveries, transactions and webhooks by the beginning of their id, jobs also by that of their `external_task_id`. ' +
      'For an admin also teams, organizations, model groups, model aliases and admin users by a part of their id, name, alias or e-mail. ' +
      'A team finds its own only.',
    tag: 'Search',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'lists' },
    query: SearchQuery,
    response: SearchResults,
  },
  async (context) => {
    const hits = await find(context, context.query.q);
    const results = hits.map(({ job_id, team_id, ...hit }) => ({
      ...hit,
      ...(job_id && { job_id }),
      ...(team_id && { team_id }),
    }));
    return { results };
  },
);
