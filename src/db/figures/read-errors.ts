import type { ErrorKind } from '../../domain/call-failure.ts';
import { type ErrorFilter, errorsSql, matchErrors } from '../calls/call-errors.ts';
import type { Database } from '../connection/database.ts';
import { isoTimestamp } from '../sql/outbox.ts';
import { unnamed } from '../sql/statement.ts';
import { bucketSql, inScope, type Range, type Scope } from './job-days.ts';

export interface ErrorsQuestion extends Scope, Range {
  filter: ErrorFilter;
  /** The beginnings of the buckets; the first is `from`. */
  starts: Date[];
}

/** Errors that are alike. `model` and what follows are null in the view `calls`. */
export interface ErrorGroup {
  kind: ErrorKind;
  model_group: string | null;
  model: string | null;
  status_code: number | null;
  error_code: string | null;
  calls: number;
  failed_calls: number;
  jobs: number;
  first_at: string;
  last_at: string;
  /** Calls by their buckets, from 1, where there are some. */
  trend: Record<string, number>;
}

export interface ErrorFigures {
  groups: ErrorGroup[];
  groups_total: number;
  total: { calls: number; failed_calls: number; jobs: number };
  now: Date;
}

/** Groups at most. */
const maxGroups = 100;

/**
 * The errors of the jobs that were created in the range, and their sums. They are found by the indexes of what failed: it reads no call
 * that went well. The status is no part of a group, whose list is found by the code alone: it is that of the last error.
 */
const sqlOf = (filter: ErrorFilter): string => `
     with errors as materialized (
       select e.*, ${bucketSql('j.created_at')} as bucket, c.status = 'failed' as has_failed
         from (select * from (${errorsSql(filter.view, 'from')}) every_error where ${matchErrors(filter).sql}) e join jobs j on j.job_id = e.job_id join calls c on c.call_id = e.call_id
        where j.created_at >= :from and j.created_at < :until and ${inScope('j')}
     ), groups as (
       select kind, model_group, model, error_code, (array_agg(status_code order by at desc))[1] as status_code,
              count(distinct call_id) as calls, count(distinct call_id) filter (where has_failed) as failed_calls,
              count(distinct job_id) as jobs, min(at) as first_at, max(at) as last_at
         from errors group by kind, model_group, model, error_code
     ), trends as (
       select kind, model_group, model, error_code, json_object_agg(bucket, calls) as trend
         from (select kind, model_group, model, error_code, bucket, count(distinct call_id) as calls from errors group by 1, 2, 3, 4, 5) b
        group by 1, 2, 3, 4
     ), largest as (
       select g.*, t.trend, row_number() over (order by g.calls desc, g.last_at desc, g.kind, g.model_group, g.model, g.error_code) as position
         from groups g join trends t
           on (t.kind, coalesce(t.model_group, ''), coalesce(t.model, ''), coalesce(t.error_code, ''))
            = (g.kind, coalesce(g.model_group, ''), coalesce(g.model, ''), coalesce(g.error_code, ''))
     )
     select (select coalesce(json_agg(json_build_object(
                       'kind', kind, 'model_group', model_group, 'model', model, 'status_code', status_code, 'error_code', error_code,
                       'calls', calls, 'failed_calls', failed_calls, 'jobs', jobs,
                       'first_at', ${isoTimestamp('first_at')}, 'last_at', ${isoTimestamp('last_at')}, 'trend', trend) order by position), '[]')
               from largest where position <= ${maxGroups}) as groups,
            (select count(*) from groups) as groups_total,
            (select json_build_object('calls', count(distinct call_id), 'failed_calls', count(distinct call_id) filter (where has_failed),
                                      'jobs', count(distinct job_id)) from errors) as total,
            now() as now`;

export async function readErrors(database: Database, { filter, ...values }: ErrorsQuestion): Promise<ErrorFigures> {
  const all = { ...values, ...matchErrors(filter).values };
  const [row] = await database.reports.query<ErrorFigures>(unnamed(sqlOf(filter)), all);
  return row!;
}
