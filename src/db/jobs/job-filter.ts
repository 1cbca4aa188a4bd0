import { uuidRange } from '../../domain/formats/uuid-range.ts';
import type { JobStatus } from '../../domain/job-state.ts';
import { type ErrorFilter, errorsSql, matchErrors } from '../calls/call-errors.ts';
import { beginsWith, beginsWithValues } from '../sql/begins-with.ts';
import type { Values } from '../sql/statement.ts';
import { jobHasEnded } from '../sql/status.ts';

/** Null and absent: not filtered by it. */
export interface JobFilter {
  team_id?: string | null;
  organization_id?: string | null;
  /** One of these, where it is several. */
  status?: JobStatus | readonly JobStatus[] | null;
  job_type?: string | null;
  user_id?: string | null;
  external_task_id?: string | null;
  key_id?: string | null;
  /** Inclusive. */
  created_from?: Date | null;
  /** Exclusive. */
  created_before?: Date | null;
  /** The beginning of the id or of the external_task_id. */
  q?: string | null;
  /** Texts by top-level keys. */
  metadata?: Readonly<Record<string, string>> | null;
  charged?: boolean | null;
  has_failed_calls?: boolean | null;
  model_group?: string | null;
  /** A concrete model that a request went to. */
  model?: string | null;
  /** Jobs with such an error. */
  errors?: ErrorFilter | null;
  min_cost_usd?: number | null;
  max_cost_usd?: number | null;
  min_duration_ms?: number | null;
  max_duration_ms?: number | null;
}

export type JobFilterName = keyof JobFilter;

interface Condition {
  sql: string;
  values: Values;
}

const duration = 'completed_at - created_at';
const milliseconds = (name: string): string => `:${name}::bigint * interval '1 millisecond'`;

/** The filters whose condition has one parameter, of the filter's own name. */
const plain = {
  team_id: 'team_id = :team_id',
  organization_id: 'organization_id = :organization_id',
  job_type: 'job_type = :job_type',
  user_id: 'user_id = :user_id',
  external_task_id: 'external_task_id = :external_task_id',
  key_id: 'key_id = :key_id',
  created_from: 'created_at >= :created_from',
  created_before: 'created_at < :created_before',
  charged: 'credit_applied = :charged::boolean',
  has_failed_calls: '(failed_calls > 0) = :has_failed_calls::boolean',
  model_group: ':model_group = any (model_groups_used)',
  // With `offset` it is looked up for each job that is examined: the planner would read every attempt there is.
  model:
    'exists (select from calls c join call_attempts a on a.call_id = c.call_id where c.job_id = jobs.job_id and a.model = :model offset 0)',
  min_cost_usd: 'total_cost_usd >= :min_cost_usd::numeric',
  max_cost_usd: 'total_cost_usd <= :max_cost_usd::numeric',
  min_duration_ms: `${jobHasEnded()} and ${duration} >= ${milliseconds('min_duration_ms')}`,
  max_duration_ms: `${jobHasEnded()} and ${duration} <= ${milliseconds('max_duration_ms')}`,
} satisfies Partial<Record<JobFilterName, string>>;

const isPlain = (name: JobFilterName): name is keyof typeof plain => name in plain;

/** Jobs whose id or external_task_id begins with the text. */
function beginningWith(q: string): Condition {
  const range = uuidRange(q);
  const byTask = beginsWith('external_task_id', 'q');
  if (!range) return { sql: byTask, values: beginsWithValues('q', q) };
  const values = { ...beginsWithValues('q', q), first_id: range.from, last_id: range.to };
  return { sql: `(job_id between :first_id::uuid and :last_id::uuid or ${byTask})`, values };
}

function metadataCondition(metadata: Readonly<Record<string, string>>): Condition {
  const entries = Object.entries(metadata);
  return {
    sql: entries.map((_, index) => `metadata ->> :key_${index}::text = :value_${index}`).join(' and ') || 'true',
    values: Object.fromEntries(
      entries.flatMap(([key, value], index) => [
        [`key_${index}`, key],
        [`value_${index}`, value],
      ]),
    ),
  };
}

/** Errors are few: their jobs are found once, and not looked for in each job. */
function errorsCondition({ errors, created_from }: JobFilter): Condition {
  const { sql, values } = matchErrors(errors!);
  const since = (created_from ?? null) === null ? undefined : 'created_from';
  return {
    sql: `job_id in (select job_id from (${errorsSql(errors!.view, since)}) every_error where ${sql})`,
    values: { ...values, ...(since && { created_from }) },
  };
}

function fieldCondition(filter: JobFilter, name: JobFilterName): Condition {
  if (isPlain(name)) return { sql: plain[name], values: { [name]: filter[name] } };
  if (name === 'q') return beginningWith(filter.q!);
  if (name === 'metadata') return metadataCondition(filter.metadata!);
  if (name === 'errors') return errorsCondition(filter);
  const status = filter.status!;
  if (typeof status === 'string') return { sql: 'status = :status', values: { status } };
  return { sql: 'status = any (:statuses::text[])', values: { statuses: status } };
}

/** The names of what is filtered by, always in the same order. */
const order: readonly JobFilterName[] = [
  'team_id',
  'organization_id',
  'status',
  ...(Object.keys(plain) as JobFilterName[]),
];
const names: readonly JobFilterName[] = [...new Set<JobFilterName>([...order, 'q', 'metadata', 'errors'])];
export const filteredBy = (filter: JobFilter): JobFilterName[] =>
  names.filter((name) => (filter[name] ?? null) !== null);

/** The condition of these filters, and its parameters. */
export function filterCondition(filter: JobFilter, among: readonly JobFilterName[] = filteredBy(filter)): Condition {
  const conditions = among.map((name) => fieldCondition(filter, name));
  return {
    sql: conditions.map(({ sql }) => sql).join(' and ') || 'true',
    values: Object.assign({}, ...conditions.map(({ values }) => values)) as Values,
  };
}
