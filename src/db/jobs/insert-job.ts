import { rereadOnce } from '../../concurrency/reread-once.ts';
import type { BudgetFields } from '../../domain/job-budget.ts';
import type { Database } from '../connection/database.ts';
import { breaks } from '../connection/failures.ts';
import { outbox } from '../sql/outbox.ts';
import { statement } from '../sql/statement.ts';
import type { JobBudgetView } from './job-budget.ts';
import { budgetOfJob, insertBudget, jobTermColumns, jobTerms, newJobTerms } from './new-job-terms.ts';

export interface NewJob {
  job_id: string;
  team_id: string;
  organization_id: string;
  user_id: string | null;
  job_type: string;
  external_task_id: string | null;
  metadata: Record<string, unknown>;
  /** The key that it is created with. Null: the team's first one. */
  key_id: string | null;
  /** What the request gives of its budget. Absent or null: nothing. */
  budget?: BudgetFields | null;
}

export interface InsertedJob {
  created_at: Date;
  /** False: an execution of the same request has inserted it before. */
  created_now: boolean;
  delivery_ids: string[];
  /** Null: it has no reservation. */
  credits_held: number | null;
  /** Null: it has none. */
  budget: JobBudgetView | null;
}

/** The team has too few credits for a new job. */
export interface RefusedJob {
  refusal: 'insufficient_credits';
  /** That has exhausted its credits. */
  is_exhausted: boolean;
}

interface Row extends Omit<InsertedJob, 'created_at'>, Omit<RefusedJob, 'refusal'> {
  created_at: Date | null;
  blocked: boolean;
}

/**
 * One row, with the credits that are needed, when a new job of `terms` is refused: the `low_balance_policy` of the team is `block` and
 * it has no credit left (`spec 6.7`), or it is `reserve` and too few are available (`spec 24.2`).
 */
export const blocked = `
  blocked as (
    select coalesce(terms.credits_held, 1) as needed
      from terms join credit_accounts a on a.team_id = :team_id
     where a.credit_limit is not null
       and (terms.low_balance_policy = 'block' and a.credits_remaining < 1 or a.credits_remaining - a.credits_held < terms.credits_held)
  )`;

/** Whether the refusal of the new job, if `isRefused`, has exhausted the credits of its team. `spec 22.2` */
export const exhaustedByRefusal = (isRefused: string): string => `
  case when ${isRefused} and exists (select from blocked)
       then exhaust_credits(:team_id, null, :job_id, 'creation', (select needed from blocked)) else false end as is_exhausted`;

const maxTries = 50;

/**
 * Executes a statement that inserts a job again when another job has reserved meanwhile what this one was to reserve: the next execution
 * sees it. The constraint is what holds. `spec 24.6`
 */
export async function whileCovered<T>(execute: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await execute();
    } catch (error) {
      if (tries === maxTries || !breaks(error, 'fixed_budget_covers_reservations')) throw error;
    }
  }
}

/** The event of the job in `created`. */
export const jobCreated = outbox('created', "'job.created'", "'{}'");

/** The columns that a new job is given, and their parameters: the fields of `NewJob` but its budget. */
export const newJobColumns = 'job_id, team_id, organization_id, user_id, job_type, external_task_id, metadata, key_id';
export const newJobValues =
  ':job_id, :team_id, :organization_id, :user_id, :job_type, :external_task_id, :metadata, :key_id';

const sql = statement(
  'insert_job',
  `with ${newJobTerms}, ${blocked}, created as (
     insert into jobs (${newJobColumns}, ${jobTermColumns})
     select ${newJobValues}, ${jobTerms} from terms where not exists (select from blocked)
     on conflict (job_id) do nothing
     returning *
   ), budgets as (${insertBudget}), events as (${jobCreated})
   select coalesce(created.created_at, existing.created_at) as created_at, exists (select from created) as created_now,
          exists (select from blocked) as blocked, array(select delivery_id from events) as delivery_ids,
          ${exhaustedByRefusal('existing.job_id is null')}, coalesce(created.credits_held, existing.credits_held) as credits_held,
          case when created.job_id is null then ${budgetOfJob(':job_id')}
               when (terms.budget).job_id is not null then budget_view(terms.budget, no_budget_sums()) end as budget
     from (select 1) one
     left join terms on true
     left join created on true
     left join jobs existing on existing.job_id = :job_id`,
);

/** Inserts once for each job_id: a repeated request finds the job that it inserted. */
export async function insertJob(database: Database, job: NewJob): Promise<InsertedJob | RefusedJob> {
  const [row] = await rereadOnce(
    () => whileCovered(() => database.query<Row>(sql, jobValues(job))),
    ([found]) => found!.blocked || found!.created_at !== null,
  );
  const { created_at, blocked: _, is_exhausted, ...inserted } = row!;
  return created_at ? { created_at, ...inserted } : { refusal: 'insufficient_credits', is_exhausted };
}

/** The parameters of `newJobValues` and `newJobTerms`, without whatever else the object has. */
export const jobValues = ({
  job_id,
  team_id,
  organization_id,
  user_id,
  job_type,
  external_task_id,
  metadata,
  key_id,
  budget = null,
}: NewJob) => ({ job_id, team_id, organization_id, user_id, job_type, external_task_id, metadata, key_id, budget });
