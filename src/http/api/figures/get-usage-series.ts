import { SeriesRow, UsageSeries, UsageSeriesQuery } from '../../../contracts/usage-series.ts';
import { getUsageSeries as get } from '../../../services/figures/get-usage-series.ts';
import { route } from '../../route.ts';
import { seriesExample } from './figure-examples.ts';
import { serializeSeries, seriesRows } from './serialize-series.ts';

export const getUsageSeries = route(
  {
    operationId: 'getUsageSeries',
    method: 'get',
    path: '/api/usage/series',
    summary: 'Read a metric over time, by group',
    description:
      'A team sees its own figures, an admin those of everybody. All sums are of one moment. `total` is the sum of `groups` and ' +
      '`other`, and of all `points`.',
    tag: 'Usage',
    access: { audience: ['team', 'admin'] },
    query: UsageSeriesQuery,
    limits: { rate: 'management', place: 'lists' },
    response: UsageSeries.meta({ example: seriesExample }),
    csv: { name: 'usage', row: SeriesRow, rows: seriesRows },
    errors: ['key_of_another_team', 'key_of_another_organization', 'role_insufficient'],
  },
  async (context) => serializeSeries(await get(context, context.query)),
);
