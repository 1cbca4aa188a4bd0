import type { z } from 'zod';
import type { FilterValuesQuery } from '../../contracts/filter-values.ts';
import { listFilterValues as list } from '../../db/figures/list-filter-values.ts';
import { visibleTeam } from '../caller.ts';
import { requireConcreteModels } from '../calls/error-filter.ts';
import type { ServiceContext } from '../context.ts';

const maxValues = 50;

/** What a filter of a list may be set to, as far as the caller sees it. `spec 19.78` */
export async function listFilterValues(
  { deps, caller }: ServiceContext,
  { field, q }: z.output<typeof FilterValuesQuery>,
) {
  if (field === 'model') requireConcreteModels(caller);
  const found = await list(deps.database, { field, q, teamId: visibleTeam(caller), limit: maxValues + 1 });
  return { field, values: found.slice(0, maxValues), complete: found.length <= maxValues };
}
