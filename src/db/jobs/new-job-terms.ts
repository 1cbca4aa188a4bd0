import { defaultRates, maxBalance } from '../../domain/credits.ts';

/**
 * The credits that a new job may cost, as far as they are known: its price, or in the consumption modes what its budget permits, else what
 * its team reserves for a job of unknown cost. `spec 24.1`
 */
const reservation = `
  case t.budget_mode
    when 'job_based' then coalesce(own.credits, platform.credits, 1)
    else least(coalesce(ceil(case t.budget_mode
                               when 'consumption_usd'
                               then (in_force.budget).max_cost_usd * coalesce(t.credits_per_dollar, ${defaultRates.creditsPerDollar})
                               else (in_force.budget).max_tokens::numeric / coalesce(t.tokens_per_credit, ${defaultRates.tokensPerCredit})
                             end), t.reserve_credits, 1), ${maxBalance})::int end`;

/**
 * What a new job takes of the price list and its team: a fragment of the statements that insert jobs. Each field by itself is the team's
 * row, the platform's row, or the team's setting (`spec 21.3`, `spec 23.2`). Parameters: `job_id`, `team_id`, `job_type`, `key_id` and
 * `budget`, that of the request. The columns are those of the table `jobs`, where null is the default, and `budget`, a row of
 * `job_budgets` whose `job_id` is null where the job has none, and the `low_balance_policy`. `offset 0` keeps the planner from computing it twice.
 */
export const newJobTerms = `
  terms as (
    select nullif(coalesce(own.credits, platform.credits), 1) as price_credits,
           nullif(coalesce(own.billing_policy, platform.billing_policy, t.billing_policy), 'strict') as billing_policy,
           t.usd_per_credit, t.low_balance_policy,
           case when t.low_balance_policy = 'reserve' then nullif(${reservation}, 0) end as credits_held,
           case when :key_id::uuid is not null then ${reservation} end as key_credits_held,
           in_force.budget
      from teams t
      left join job_type_prices own on own.team_id = t.team_id and own.job_type = :job_type
      left join job_type_prices platform on platform.team_id is null and platform.job_type = :job_type
     cross join lateral (
       select case when num_nonnulls(:budget::jsonb, own.budget, platform.budget, t.job_budget_defaults, t.job_budget_maxima) > 0
                   then budget_in_force(:job_id, coalesce(t.job_budget_defaults, '{}') || coalesce(platform.budget, '{}')
                                                 || coalesce(own.budget, '{}'), :budget, t.job_budget_maxima) end as budget
       offset 0) in_force
     where t.team_id = :team_id
  )`;

/** The columns of the table `jobs` that `terms` gives. */
const termColumns = ['price_credits', 'billing_policy', 'usd_per_credit', 'credits_held', 'key_credits_held'];

export const jobTermColumns = termColumns.join(', ');
export const jobTerms = termColumns.map((column) => `terms.${column}`).join(', ');

/** The budget of the job in `created`. */
export const insertBudget =
  'insert into job_budgets select (terms.budget).* from created, terms where (terms.budget).job_id is not null';

/** The budget of a job as answers show it; null if it has none. */
export const budgetOfJob = (jobId: string): string =>
  `(select budget_view(b, budget_sums(b.job_id)) from job_budgets b where b.job_id = ${jobId})`;
