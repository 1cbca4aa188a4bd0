import type { BudgetCap } from '../../domain/job-budget.ts';
import { cutoffOf, type JobBudgetView } from '../jobs/job-budget.ts';
import { outbox } from '../sql/outbox.ts';

/** Why a budget refuses a call. */
export type BudgetRefusal = 'price_unknown' | 'job_deadline_exceeded' | 'job_budget_reached' | 'job_budget_held';

/** What a call of a job with a budget reserves, as `decide_reservation` has decided. Figures are in the unit of the cap. */
export type Reservation =
  /** The budget with the call's own reservation, or as it is now if the call was recorded before; null if the job of that has none. */
  | { refusal?: undefined; view: JobBudgetView | null }
  /** The list of the upstream's models is to be read before this can be decided. */
  | { refusal: 'list_needed' | 'price_unknown' }
  | { refusal: 'job_deadline_exceeded'; job_id: string }
  | {
      refusal: 'job_budget_reached' | 'job_budget_held';
      job_id: string;
      cap: BudgetCap;
      limit: number;
      spent: number;
      held: number;
      /** The least that the call can reserve. */
      needed: number;
    };

/** When the job ends in whose budget an admission has reserved. */
export const cutoffOfJob = ({ reservation }: { reservation: Reservation | null }): Date | null =>
  reservation && 'view' in reservation ? cutoffOf(reservation.view) : null;

/** What a call is to reserve, with what `resolved` has of its model. */
export interface ToReserve {
  /** The estimated tokens of the prompt. */
  prompt_tokens: number;
  /** The most tokens of the answer. Null: the request has no limit. */
  output_tokens: number | null;
  /** The list of the upstream's models may be read for a model that it does not have. */
  may_read_list: boolean;
}

const toReserve = `jsonb_build_object(
  'candidates', resolved.candidates, 'max_output_tokens', resolved.max_output_tokens, 'prompt_tokens', :prompt_tokens::bigint,
  'output_tokens', :output_tokens::bigint, 'may_read_list', :may_read_list::boolean)`;

/**
 * The expression of a call's reservation in the budget of a job that exists; null if it has none. It locks the budget, so it has to be the
 * last check of its statement, inside of `case`.
 */
export const reserveInBudget = (jobId: string): string => `reserve_in_budget(${jobId}, :call_id, ${toReserve})`;

/** The same for the first call of a job that the statement makes with the budget `terms.budget`. */
export const reserveInNewBudget = `decide_reservation(terms.budget, no_budget_sums(), ${toReserve})`;

/** Columns of `reservation`, whose `made` is the reservation, or null. */
export const refusalOfReservation = `reservation.made ->> 'refusal'`;
export const reservedCandidates = `coalesce(reservation.made -> 'candidates', resolved.candidates::jsonb)`;
export const reservedOutput = `coalesce((reservation.made ->> 'output_tokens')::int, resolved.max_output_tokens)`;
export const held = `(reservation.made ->> 'held_usd')::numeric, (reservation.made ->> 'held_tokens')::bigint`;

/** The event of the first call that a cap has refused since the budget was last changed. `job`: the common table expression of the job. */
export const capReached = (job: string): string => `
  reached as (
    select ${job}.*, reservation.made from ${job}, reservation where (reservation.made ->> 'is_first')::boolean
  ), reached_events as (${outbox(
    'reached',
    "'job.budget_reached'",
    `jsonb_build_object('cap', reached.made -> 'cap', 'limit', reached.made -> 'limit', 'spent', reached.made -> 'spent',
                        'held', reached.made -> 'held', 'needed', reached.made -> 'needed')`,
  )})`;
