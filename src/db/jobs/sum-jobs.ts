import type { Database } from '../connection/database.ts';
import { unnamed } from '../sql/statement.ts';
import { sumsByDay } from './count-jobs.ts';
import { filterCondition, type JobFilter } from './job-filter.ts';
import { toPhases } from './job-phases.ts';
import { findScope, isFoundBy, phaseSources } from './job-sources.ts';

export interface JobSums {
  jobs: number;
  total_calls: number;
  failed_calls: number;
  total_tokens: number;
  total_cost_usd: string;
  credits_charged: number;
}

export interface SummedJobs extends JobSums {
  /** Null, or the oldest job that was looked at: older ones may match too. */
  stopped_at: Date | null;
}

/** Looking at so many takes some tenths of a second. */
const maxExamined = 50_000;

const summed = ['total_calls', 'failed_calls', 'total_tokens', 'total_cost_usd', 'credits_charged'] as const;

const totals = (condition: string): string =>
  [
    `coalesce(sum(jobs) filter (where ${condition}), 0)::bigint as jobs`,
    ...summed.map((column) => {
      const type = column === 'total_cost_usd' ? 'numeric' : 'bigint';
      return `coalesce(sum(${column}) filter (where ${condition}), 0)::${type} as ${column}`;
    }),
  ].join(', ');

/** How many jobs match and what they took: by the sums of days where they have it, or else of the newest jobs that are looked at. */
export async function sumJobs(database: Database, filter: JobFilter, examined = maxExamined): Promise<SummedJobs> {
  const { sql: isMatch, values } = filterCondition(filter);
  const byDay = sumsByDay(filter);
  if (byDay) {
    const sql = unnamed(`select ${totals('true')}, null::timestamptz as stopped_at from (${byDay}) days`);
    const used = Object.fromEntries(sql.parameters.map((name) => [name, values[name]]));
    const [row] = await database.reports.query<SummedJobs>(sql, used);
    return row!;
  }
  const order = { sort_by: 'created_at', order: 'desc' } as const;
  const [phase] = toPhases(order);
  const scope = await findScope(database, filter, order, examined);
  const selects = phaseSources(filter, scope, phase!).map(
    (
      source,
      index,
    ) => `(select ${index} as source, created_at, (${isMatch}) as is_match, 1 as jobs, ${summed.join(', ')} from jobs
                          where ${isFoundBy(filter, scope, phase!, source)} order by created_at desc, job_id limit :examined)`,
  );
  const sql = unnamed(`
    with looked_at as materialized (${selects.join(' union all ')}),
    stops as (select min(created_at) as oldest from looked_at group by source having count(*) >= :examined)
    select ${totals('is_match')}, (select max(oldest) from stops) as stopped_at from looked_at`);
  const [row] = await database.reports.query<SummedJobs>(sql, {
    ...values,
    examined,
    ...(scope.ids && { ids: scope.ids }),
  });
  return row!;
}
