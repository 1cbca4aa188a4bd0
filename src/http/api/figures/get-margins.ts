import { MarginRow, Margins, MarginsQuery } from '../../../contracts/margins.ts';
import { getMargins as get } from '../../../services/figures/get-margins.ts';
import { route } from '../../route.ts';
import { marginsExample } from './figure-examples.ts';
import { serializeMargins } from './serialize-margins.ts';

export const getMargins = route(
  {
    operationId: 'getMargins',
    method: 'get',
    path: '/api/usage/margins',
    summary: 'Read revenue, cost and margin',
    description:
      'Of the jobs that were created in the range, by job type, team or organization. `total` is the sum of all rows, those beyond the ' +
      'first 1,000 too. With a `bucket` it has their course, with `compare=previous` the same of the period before.',
    tag: 'Usage',
    access: { audience: ['admin'] },
    query: MarginsQuery,
    limits: { rate: 'management', place: 'lists' },
    response: Margins.meta({ example: marginsExample }),
    csv: { name: 'margins', row: MarginRow.omit({ previous: true }), rows: ({ rows }) => rows },
  },
  async (context) => serializeMargins(context.query, await get(context, context.query)),
);
