import type { TeamCreation } from '../../../contracts/teams.ts';
import type { NewTeam } from '../../../db/teams/insert-team.ts';
import { decimalText } from '../../../domain/exact-decimal.ts';
import { noRefill, refillFrom } from '../../../domain/refill.ts';
import { requireRefillComplete } from './require-refill-complete.ts';

/** LiteLLM treats a blank id as none. */
const upstreamIdOf = (teamId: string): string => (teamId.trim() === '' ? encodeURIComponent(teamId) : teamId);

/** The team that a body describes, with the defaults of `spec 6.3` and `spec 8.3`. Throws a 422. */
export function newTeam(body: TeamCreation, now: Date): NewTeam {
  const credits_allocated = body.credits_allocated ?? 0;
  const auto_refill = body.auto_refill ?? false;
  const refill_amount = body.refill_amount ?? null;
  const refill_period = body.refill_period ?? null;
  requireRefillComplete({ auto_refill, refill_amount, refill_period });
  return {
    team_id: body.team_id,
    organization_id: body.organization_id,
    team_alias: body.team_alias ?? body.name ?? null,
    budget_mode: body.budget_mode ?? 'job_based',
    tokens_per_credit: body.tokens_per_credit ?? null,
    credits_per_dollar: decimalText(body.credits_per_dollar ?? null),
    low_balance_policy: body.low_balance_policy ?? 'allow',
    rpm_limit: body.rpm_limit ?? null,
    tpm_limit: body.tpm_limit ?? null,
    proxy_team_id: body.proxy_team_id ?? upstreamIdOf(body.team_id),
    max_budget: decimalText(body.max_budget ?? null),
    metadata: body.metadata ?? {},
    account: {
      credits_allocated,
      // Absent means a fixed budget; an explicit null means unlimited.
      credit_limit: body.credit_limit === undefined ? credits_allocated : body.credit_limit,
      auto_refill,
      refill_amount,
      refill_period,
      ...(auto_refill && refill_period ? refillFrom(now, refill_period) : noRefill),
    },
  };
}
