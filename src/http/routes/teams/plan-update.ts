import type { TeamUpdate } from '../../../contracts/teams.ts';
import type { AccountSettings, TeamSettings } from '../../../db/teams/update-team.ts';
import { decimalText } from '../../../domain/exact-decimal.ts';
import { noRefill, refillFrom } from '../../../domain/refill.ts';
import { namedFields } from '../../validation/named-fields.ts';
import { requireRefillComplete } from './require-refill-complete.ts';

/** The team's own fields that the body changes. `null` empties a limit or a rate; for the other fields it counts as left out. */
export const teamChanges = (body: TeamUpdate, now: Date): Partial<TeamSettings> =>
  namedFields({
    team_alias: body.team_alias,
    metadata: body.metadata ?? undefined,
    budget_mode: body.budget_mode ?? undefined,
    tokens_per_credit: body.tokens_per_credit,
    credits_per_dollar: decimalText(body.credits_per_dollar),
    low_balance_policy: body.low_balance_policy ?? undefined,
    rpm_limit: body.rpm_limit,
    tpm_limit: body.tpm_limit,
    updated_at: now,
  });

/**
 * The account's settings after the body's changes. A refill that is switched on, or gets another period, is due a period from
 * now; a new amount alone keeps its dates. `spec 6.6`. Throws a 422.
 */
export function accountChanges(body: TeamUpdate, account: AccountSettings, now: Date): Partial<AccountSettings> {
  const auto_refill = body.auto_refill ?? account.auto_refill;
  const refill_amount = (body.refill_amount === undefined ? account.refill_amount : body.refill_amount) ?? null;
  const refill_period = (body.refill_period === undefined ? account.refill_period : body.refill_period) ?? null;
  requireRefillComplete({ auto_refill, refill_amount, refill_period });
  const running = account.auto_refill && account.refill_period === refill_period;
  const schedule = auto_refill && refill_period ? (running ? {} : refillFrom(now, refill_period)) : noRefill;
  return {
    ...namedFields({ credit_limit: body.credit_limit }),
    auto_refill,
    refill_amount,
    refill_period,
    ...schedule,
  };
}
