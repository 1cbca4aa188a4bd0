import type { Team } from '../../api/types.ts';

/** What a job costs, by the mode of the team. */
export const budgetModes: Record<Team['budget_mode'], string> = {
  job_based: 'its price, by default one credit',
  consumption_usd: 'credits by its cost in USD',
  consumption_tokens: 'credits by its tokens',
};
