/** The caps of a job's budget, in the order in which a refusal names them. `spec 23.1` */
export const budgetCaps = ['max_cost_usd', 'max_tokens', 'max_calls', 'deadline_seconds'] as const;
export type BudgetCap = (typeof budgetCaps)[number];

export const defaultOutputTokens = 16_384;
export const defaultGraceSeconds = 0;

/** A budget as a request, a row of the price list or a team gives it: what is absent is decided elsewhere, and null is no cap. */
export type BudgetFields = Partial<
  Record<BudgetCap | 'deadline_grace_seconds' | 'default_output_tokens', number | null>
>;
