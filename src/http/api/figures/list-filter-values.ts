import { FilterValues, FilterValuesQuery } from '../../../contracts/filter-values.ts';
import { listFilterValues as list } from '../../../services/figures/list-filter-values.ts';
import { route } from '../../route.ts';

export const listFilterValues = route(
  {
    operationId: 'listFilterValues',
    method: 'get',
    path: '/api/filter-values',
    summary: 'List what a filter of a list may be set to',
    description:
      'Teams and organizations, and the job types, model groups and concrete models of the last 92 days. A team gets its own.',
    tag: 'Search',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'lists' },
    query: FilterValuesQuery,
    response: FilterValues.meta({
      example: {
        field: 'job_type',
        values: [{ value: 'summarize_report', label: 'summarize_report' }],
        complete: true,
      },
    }),
    errors: ['concrete_models_hidden'],
  },
  (context) => list(context, context.query),
);
