import type { z } from 'zod';
import { endOf, startOf } from '../../contracts/date-range.ts';
import type { JobListQuery } from '../../contracts/job-lists.ts';
import type { JobFilter } from '../../db/jobs/job-filter.ts';
import { type Caller, requireOrganization, requireTeam, visibleTeam } from '../caller.ts';
import { requireConcreteModels, toErrorFilter } from '../calls/error-filter.ts';

export type JobFilters = Omit<
  z.output<typeof JobListQuery>,
  'limit' | 'offset' | 'cursor' | 'count' | 'sort_by' | 'order' | 'format' | 'tz'
>;

/** What a query filters jobs by: a team sees its own only. */
export function toJobFilter(caller: Caller, given: JobFilters): JobFilter {
  const { start_date, end_date, team_id, error_kind, error_model_group, error_model, error_code, ...filter } = given;
  if (team_id !== undefined) requireTeam(caller, team_id);
  if (filter.organization_id !== undefined) requireOrganization(caller, filter.organization_id);
  if (filter.model !== undefined) requireConcreteModels(caller);
  return {
    ...filter,
    errors: toErrorFilter(caller, { error_kind, error_model_group, error_model, error_code }),
    team_id: visibleTeam(caller, team_id),
    created_from: start_date === undefined ? null : startOf(start_date),
    created_before: end_date === undefined ? null : endOf(end_date),
  };
}
