import type { FilterField } from '../../contracts/filter-values.ts';
import type { Database } from '../connection/database.ts';
import { oneContains } from '../sql/contains.ts';
import { unnamed } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';

export interface FilterValueRow {
  value: string;
  label: string;
}

/** Values of sums are those of so many days. */
const days = 92;
const recent = (column: string): string => `${column} >= (now() at time zone 'utc')::date - ${days}`;
const ofTeam = '(:team_id::text is null or team_id = :team_id)';

const values: Record<FilterField, string> = {
  team_id: `select team_id as value, coalesce(team_alias, team_id) as label from teams where ${ofTeam}`,
  organization_id: `select organization_id as value, name as label from organizations
                     where :team_id::text is null or organization_id = (select organization_id from teams where team_id = :team_id)`,
  job_type: `select job_type as value, job_type as label from daily_usage where ${recent('day')} and ${ofTeam}
             union select job_type, job_type from jobs where ${jobIsOpen()} and ${ofTeam}`,
  model_group: `select model_group as value, model_group as label from daily_calls
                 where ${recent('day')} and ${ofTeam} and model_group is not null`,
  model: `select model as value, model as label from hourly_attempts
           where hour >= now() - interval '${days} days' and :team_id::text is null`,
};

/** The values that a filter may be set to, by their names. `teamId`: only those of this team. */
export function listFilterValues(
  database: Database,
  { field, q, teamId, limit }: { field: FilterField; q: string | undefined; teamId: string | undefined; limit: number },
): Promise<FilterValueRow[]> {
  const isMatch = q === undefined ? 'true' : oneContains(['value', 'label']);
  const text = `select value, label from (select distinct value, label from (${values[field]}) every) known
                 where ${isMatch} order by label collate "C", value collate "C" limit :limit`;
  return database.reports.query<FilterValueRow>(unnamed(text), {
    team_id: teamId ?? null,
    limit,
    ...(q !== undefined && { q }),
  });
}
