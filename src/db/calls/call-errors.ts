import type { ErrorKind } from '../../domain/call-failure.ts';
import { callError } from '../../domain/call-state.ts';
import type { Values } from '../sql/statement.ts';

/**
 * What counts as an error. `requests`: each request to a model that failed, also of a call that another model then answered. `calls`: each
 * call that failed, for a team, which sees no single requests. `spec 19.72`, decision 136
 */
export type ErrorView = 'requests' | 'calls';

/** The value of a filter for what has none. */
const none = '(none)';

/** Errors that are alike. Absent: of any value. `none`: of those without one. */
export interface ErrorFilter {
  view: ErrorView;
  kind?: ErrorKind | undefined;
  model_group?: string | undefined;
  /** With the view `requests` only, as is `code`. */
  model?: string | undefined;
  code?: string | undefined;
}

const hasFailed = `c.error is not null and c.status = 'failed' and c.error not in ('${callError.cancelled}', '${callError.deadline}')`;

const ofCall = `c.call_id, c.job_id, c.position, c.finished_at as at, c.model_group_used as model_group`;

const failedCalls = `select ${ofCall}, coalesce(c.failure, 'interrupted') as kind, null::text as model, null::int as status_code,
         null::text as error_code, c.error
    from calls c where ${hasFailed}`;

/** The failure of a request from before it was recorded is that of its call. */
const failedRequests = `select ${ofCall}, coalesce(a.failure, c.failure, 'error') as kind, a.model, a.status_code, a.error_code, a.error
    from call_attempts a join calls c on c.call_id = a.call_id where a.outcome = 'failed'`;

/** Calls that ended without an answer of a model: of lost workers and workflows. */
const interruptedCalls = `select ${ofCall}, 'interrupted' as kind, c.resolved_model as model, null::int as status_code,
         null::text as error_code, c.error
    from calls c where ${hasFailed} and c.failure is null`;

/** A select of errors. `since`: the name of a parameter; an error is not older than its job, so that none of a later job is left out. */
export function errorsSql(view: ErrorView, since?: string): string {
  const of = (column: string) => (since ? ` and ${column} >= :${since}` : '');
  return view === 'calls'
    ? `${failedCalls}${of('c.finished_at')}`
    : `${failedRequests}${of('a.created_at')} union all ${interruptedCalls}${of('c.finished_at')}`;
}

const columns = { kind: 'kind', model_group: 'model_group', model: 'model', code: 'error_code' } as const;
type Field = keyof typeof columns;

/** The condition of the errors that match, on the columns of `errorsSql`, and its parameters. */
export function matchErrors(filter: ErrorFilter): { sql: string; values: Values } {
  const given = (Object.keys(columns) as Field[]).filter((name) => filter[name] !== undefined);
  const conditions = given.map((name) =>
    filter[name] === none ? `${columns[name]} is null` : `${columns[name]} = :error_${name}::text`,
  );
  const valued = given.filter((name) => filter[name] !== none);
  return {
    sql: conditions.join(' and ') || 'true',
    values: Object.fromEntries(valued.map((name) => [`error_${name}`, filter[name]])),
  };
}
