/** The credits that a new job may cost, as far as they are known: its price, or what its team reserves for a job of unknown cost. `spec 24.1` */
const reservation = `
  case t.budget_mode when 'job_based' then coalesce(own.credits, platform.credits, 1) else coalesce(t.reserve_credits, 1) end`;

/**
 * What a new job takes of the price list and its team: a fragment of the statements that insert jobs. Each field by itself is the team's
 * row, the platform's row, or the team's setting (`spec 21.3`, `spec 23.2`). Parameters: `team_id`, `job_type` and `key_id`.
 * The columns are those of the table `jobs`; null is the default.
 */
export const newJobTerms = `
  terms as (
    select nullif(coalesce(own.credits, platform.credits), 1) as price_credits,
           nullif(coalesce(own.billing_policy, platform.billing_policy, t.billing_policy), 'strict') as billing_policy,
           t.usd_per_credit,
           case when :key_id::uuid is not null then ${reservation} end as key_credits_held
      from teams t
      left join job_type_prices own on own.team_id = t.team_id and own.job_type = :job_type
      left join job_type_prices platform on platform.team_id is null and platform.job_type = :job_type
     where t.team_id = :team_id
  )`;

/** The columns of the table `jobs` that `terms` gives. */
const termColumns = ['price_credits', 'billing_policy', 'usd_per_credit', 'key_credits_held'];

export const jobTermColumns = termColumns.join(', ');
export const jobTerms = termColumns.map((column) => `terms.${column}`).join(', ');
