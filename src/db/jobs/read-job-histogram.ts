import type { CountedJobs, HistogramRange } from '../../domain/job-histogram.ts';
import type { Database } from '../connection/database.ts';
import { unnamed } from '../sql/statement.ts';
import { histogramByDay } from './count-jobs.ts';
import { filterCondition, type JobFilter } from './job-filter.ts';
import { toPhases } from './job-phases.ts';
import { findScope, isFoundBy, phaseSources } from './job-sources.ts';

export interface Histogram {
  rows: CountedJobs[];
  /** Null, or the oldest job that was looked at: older ones may match too. */
  stoppedAt: Date | null;
}

/** Looking at so many takes some tenths of a second. */
const maxExamined = 50_000;

interface HistogramOptions {
  bucket: HistogramRange['bucket'];
  /** How many jobs are looked at, at most. */
  examined?: number;
}

/** The filter has a range. By the sums of days where they have what it is filtered by. */
export async function readHistogram(
  database: Database,
  filter: JobFilter,
  { bucket, examined = maxExamined }: HistogramOptions,
): Promise<Histogram> {
  const byDay = bucket === 'day' ? histogramByDay(filter) : undefined;
  if (!byDay) return countNewest(database, filter, { bucket, examined });
  const sql = unnamed(byDay);
  const { values } = filterCondition(filter);
  const used = Object.fromEntries(sql.parameters.map((name) => [name, values[name]]));
  const rows = await database.reports.query<CountedJobs>(sql, used);
  return { rows: rows.filter(({ jobs }) => jobs > 0), stoppedAt: null };
}

/** The newest jobs of the range are looked at, so that it takes no longer with more jobs. */
async function countNewest(
  database: Database,
  filter: JobFilter,
  { bucket, examined }: Required<HistogramOptions>,
): Promise<Histogram> {
  const order = { sort_by: 'created_at', order: 'desc' } as const;
  const [phase] = toPhases(order);
  const scope = await findScope(database, filter, order, examined);
  const { sql: isMatch, values } = filterCondition(filter);
  const selects = phaseSources(filter, scope, phase!).map(
    (source, index) => `(select ${index} as source, created_at, status, (${isMatch}) as is_match from jobs
                          where ${isFoundBy(filter, scope, phase!, source)} order by created_at desc, job_id limit :examined)`,
  );
  const sql = unnamed(`
    select source, status, date_trunc('${bucket}', created_at, 'utc') as at, count(*) filter (where is_match)::int as jobs,
           count(*)::int as examined, min(created_at) as oldest
      from (${selects.join(' union all ')}) looked_at group by 1, 2, 3`);
  const all = { ...values, examined, ...(scope.ids && { ids: scope.ids }) };
  type Row = CountedJobs & { source: number; examined: number; oldest: Date };
  const rows = await database.reports.query<Row>(sql, all);
  const stops = [...Map.groupBy(rows, ({ source }) => source).values()]
    .filter((found) => found.reduce((sum, row) => sum + row.examined, 0) >= examined)
    .map((found) => Math.min(...found.map(({ oldest }) => oldest.getTime())));
  return {
    rows: rows.filter(({ jobs }) => jobs > 0),
    stoppedAt: stops.length > 0 ? new Date(Math.max(...stops)) : null,
  };
}
