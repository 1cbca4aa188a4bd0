import { MarginRow, Margins, MarginsQuery } from '../../../contracts/margins.ts';
import { type MarginQuestion, readMargins } from '../../../db/figures/read-margins.ts';
import { monthOf } from '../../../domain/time/month.ts';
import { route } from '../../route.ts';
import { marginsExample } from './support/figure-examples.ts';
import { dayRange } from './support/figure-range.ts';
import { figureScope, keyOf } from './support/figure-scope.ts';

export const getMargins = route(
  {
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
    response: Margins,
    csv: { name: 'margins', row: MarginRow, rows: ({ rows }) => rows },
    example: { response: marginsExample },
  },
  async ({ deps, caller, query }) => {
    const { period, group_by } = query;
    const range = period === undefined ? dayRange(query) : monthOf(period);
    const price = deps.config.USD_PER_CREDIT ?? null;
    const question: MarginQuestion = { ...figureScope(caller, query), ...range, group_by, usd_per_credit: price };
    const { now, ...figures } = await deps.figures(keyOf('margins', question), () =>
      readMargins(deps.database, question),
    );
    return {
      group_by,
      from: range.from.toISOString(),
      to: range.until.toISOString(),
      clock: 'job_created' as const,
      complete_until: now.toISOString(),
      usd_per_credit: price === null ? null : Number(price),
      ...figures,
    };
  },
);
