import type { ListPosition } from '../../contracts/cursor.ts';
import type { ErrorKind } from '../../domain/call-failure.ts';
import type { CallStatus } from '../../domain/call-state.ts';
import type { Database } from '../connection/database.ts';
import { inScope, type Range, type Scope } from '../figures/job-days.ts';
import type { Keyset } from '../sql/keyset.ts';
import { type KeysetPage, readKeysetPage } from '../sql/read-keyset-page.ts';
import { type ErrorFilter, errorsSql, matchErrors } from './call-errors.ts';

export interface ErrorOfCall {
  kind: ErrorKind;
  model: string | null;
  status_code: number | null;
  error_code: string | null;
  error: string;
}

export interface FailedCallRow {
  call_id: string;
  job_id: string;
  team_id: string;
  job_type: string;
  purpose: string | null;
  model_group: string | null;
  status: CallStatus;
  finished_at: Date | null;
  /** Those that match, in the order in which they happened. */
  errors: ErrorOfCall[];
}

export interface FailedCalls {
  counted: { total: number; jobs: number } | null;
  rows: FailedCallRow[];
  next: ListPosition | null;
}

/** `position` grows with each call of any job. */
const keyset: Keyset = { name: 'failed calls', columns: [{ sql: 'e.position', type: 'bigint', direction: 'desc' }] };

const columns = `e.call_id, e.job_id, j.team_id, j.job_type, c.purpose, c.model_group_used as model_group, c.status, c.finished_at, e.errors`;

/** A page of the calls with an error that matches, of jobs that were created in the range, the newest first. */
export function listFailedCalls(
  database: Database,
  { scope, range, filter }: { scope: Scope; range: Range; filter: ErrorFilter },
  page: KeysetPage,
): Promise<FailedCalls> {
  const { sql: matching, values } = matchErrors(filter);
  const errors = `(select call_id, job_id, position,
         json_agg(json_build_object('kind', kind, 'model', model, 'status_code', status_code, 'error_code', error_code, 'error', error)) as errors
    from (${errorsSql(filter.view, 'from')}) every_error where ${matching} group by call_id, job_id, position) e`;
  const ofJobs = `${errors} join jobs j on j.job_id = e.job_id`;
  const isMatch = `j.created_at >= :from and j.created_at < :until and ${inScope('j')}`;
  const listing = {
    columns,
    keyset,
    from: (after: string) => `${ofJobs} join calls c on c.call_id = e.call_id where ${isMatch} and ${after}`,
    count: `select count(*)::int as total, count(distinct e.job_id)::int as jobs from ${ofJobs} where ${isMatch}`,
  };
  return readKeysetPage<FailedCallRow, { jobs: number }>(database, listing, { ...values, ...scope, ...range }, page);
}
