import type { DateRange } from '../../contracts/date-range.ts';
import { readModelHealth } from '../../db/figures/read-model-health.ts';
import type { ServiceContext } from '../context.ts';
import { hourRange } from './figure-range.ts';
import { figureKey } from './figure-scope.ts';

/** How models and model groups did in the calls that ended in the hours of the range, by default the last 24. */
export async function getModelHealth({ deps }: ServiceContext, query: DateRange) {
  const range = hourRange(query);
  const figures = await deps.figures(figureKey('models', range), () => readModelHealth(deps.database, range));
  return { range, figures };
}
