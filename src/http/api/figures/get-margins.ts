import { MarginRow, Margins, MarginsQuery } from '../../../contracts/margins.ts';
import { getMargins as get } from '../../../services/figures/get-margins.ts';
import { route } from '../../route.ts';
import { marginsExample } from './figure-examples.ts';

export const getMargins = route(
  {
    operationId: 'getMargins',
    method: 'get',
    path: '/api/usage/margins',
    summary: 'Read revenue, cost and margin',
    description:
      'Of the jobs that were created in the range, by job type, team or organization. `total` is the sum of all rows, those beyond the ' +
      'first 1,000 too.',
    tag: 'Usage',
    access: { audience: ['admin'] },
    query: MarginsQuery,
    limits: { rate: 'management', place: 'lists' },
    response: Margins.meta({ example: marginsExample }),
    csv: { name: 'margins', row: MarginRow, rows: ({ rows }) => rows },
  },
  async (context) => {
    const { range, usd_per_credit: price, figures } = await get(context, context.query);
    const { now, ...margins } = figures;
    return {
      group_by: context.query.group_by,
      from: range.from.toISOString(),
      to: range.until.toISOString(),
      clock: 'job_created' as const,
      complete_until: now.toISOString(),
      usd_per_credit: price === null ? null : Number(price),
      ...margins,
    };
  },
);
