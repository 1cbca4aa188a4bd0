import { type BudgetFields, defaultGraceSeconds, defaultOutputTokens } from '../../domain/job-budget.ts';
import { audit } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { isPastCutoff } from '../sql/cutoff.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';
import type { JobBudgetView } from './job-budget.ts';

export interface BudgetChange {
  job_id: string;
  /** A present null lifts a cap. */
  changes: BudgetFields;
  /** The maxima of the job's team bound the change. */
  is_bounded: boolean;
  /** JSON for `audit`. Absent: the change is not audited. */
  audit_entry?: string;
}

/** What has become of a change. Both null: the job has ended, or is about to by its deadline. */
export interface ChangedBudget {
  /** The caps that are above the maxima: then nothing was changed. */
  above: { field: string; maximum: number }[] | null;
  budget: JobBudgetView | null;
}

const caps = { max_cost_usd: 'numeric', max_tokens: 'bigint', max_calls: 'integer', deadline_seconds: 'integer' };

/** A cap that the change names: the maximum in place of none. */
const given = (cap: string, type: string) =>
  `case when :changes::jsonb ? '${cap}' then least((:changes::jsonb ->> '${cap}')::${type}, (maxima ->> '${cap}')::${type}) end`;
const fallback = (field: string, value: number) => `coalesce((:changes::jsonb ->> '${field}')::integer, ${value})`;

/** What the change does not name stays. */
const changed = (column: string, field = column) =>
  `${column} = case when :changes::jsonb ? '${field}' then excluded.${column} else b.${column} end`;

/**
 * The job is locked before its budget, as where a call reserves: `reserve_in_budget`. An end of the job waits for this, or is found by it.
 */
const sql = (audited: string) => `
  with job as (
    select job_id, team_id from jobs where job_id = :job_id and ${jobIsOpen()} and not ${isPastCutoff('jobs.job_id')} for key share
  ), bounds as (
    select job.job_id, case when :is_bounded then t.job_budget_maxima end as maxima from job join teams t on t.team_id = job.team_id
  ), above as (
    select jsonb_agg(jsonb_build_object('field', cap, 'maximum', maxima -> cap) order by position) as fields
      from bounds, unnest(array['${Object.keys(caps).join("', '")}']) with ordinality caps (cap, position)
     where (:changes::jsonb ->> cap)::numeric > (maxima ->> cap)::numeric
  ), changed as (
    insert into job_budgets as b (job_id, ${Object.keys(caps).join(', ')}, deadline_at, deadline_grace_seconds, default_output_tokens)
    select job_id, ${Object.entries(caps)
      .map(([cap, type]) => given(cap, type))
      .join(', ')},
           now() + make_interval(secs => ${given('deadline_seconds', 'integer')}),
           ${fallback('deadline_grace_seconds', defaultGraceSeconds)}, ${fallback('default_output_tokens', defaultOutputTokens)}
      from bounds, above where above.fields is null
    on conflict (job_id) do update
       set ${[...Object.keys(caps), 'deadline_grace_seconds', 'default_output_tokens'].map((field) => changed(field)).join(', ')},
           ${changed('deadline_at', 'deadline_seconds')}, reached = '{}'
    returning b.*
  )${audited}
  select above.fields as above, (select budget_view(changed, budget_sums(changed.job_id)) from changed) as budget from above`;

const plain = statement('change_job_budget', sql(''));
const audited = statement('change_and_audit_job_budget', sql(`, audited as (${audit('changed')})`));

/** Changes the budget of an open job, or makes one for it. `spec 23.5` */
export async function changeJobBudget(database: Database, change: BudgetChange): Promise<ChangedBudget> {
  const [row] = await database.query<ChangedBudget>(change.audit_entry ? audited : plain, { ...change });
  return row!;
}
