import { Overview, OverviewQuery } from '../../../contracts/overview.ts';
import { getOverview as get } from '../../../services/figures/get-overview.ts';
import { route } from '../../route.ts';
import { overviewExample } from './figure-examples.ts';
import { serializeOverview } from './serialize-overview.ts';

export const getOverview = route(
  {
    operationId: 'getOverview',
    method: 'get',
    path: '/api/overview',
    summary: 'Read the figures of the overview',
    description:
      'Jobs, credits, cost and margin of the jobs that were created in the range, by default the last 30 days, with the period before it. ' +
      'A team sees its own, without the margin and what needs attention.',
    tag: 'Usage',
    access: { audience: ['team', 'admin'] },
    query: OverviewQuery,
    limits: { rate: 'management', place: 'lists' },
    response: Overview.meta({ example: overviewExample }),
    errors: ['key_of_another_team', 'key_of_another_organization'],
  },
  async (context) => serializeOverview(await get(context, context.query)),
);
