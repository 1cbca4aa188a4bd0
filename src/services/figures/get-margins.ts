import type { z } from 'zod';
import type { MarginsQuery } from '../../contracts/margins.ts';
import { type MarginQuestion, readMargins } from '../../db/figures/read-margins.ts';
import { monthOf } from '../../domain/time/month.ts';
import type { ServiceContext } from '../context.ts';
import { dayRange } from './figure-range.ts';
import { figureKey, figureScope } from './figure-scope.ts';

/** Revenue, cost and margin of the jobs that were created in the range, in groups. */
export async function getMargins({ deps, caller }: ServiceContext, query: z.output<typeof MarginsQuery>) {
  const { period, group_by } = query;
  const range = period === undefined ? dayRange(query) : monthOf(period);
  const usd_per_credit = deps.config.USD_PER_CREDIT ?? null;
  const question: MarginQuestion = { ...figureScope(caller, query), ...range, group_by, usd_per_credit };
  const figures = await deps.figures(figureKey('margins', question), () => readMargins(deps.database, question));
  return { range, usd_per_credit, figures };
}
