import { readBurnRate } from '../../db/figures/read-burn-rate.ts';
import { refuse } from '../../errors.ts';
import { requireTeam } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** The use of an hour does not show that of a day. */
const fewestDays = 1;

/** What the team uses a day, and how long its credits last so. Undefined without such a team. */
export async function estimateBurnRate({ database, figures }: ServiceDeps, team_id: string) {
  const burned = await figures(`burn-rate ${team_id}`, () => readBurnRate(database, team_id));
  if (!burned) return undefined;
  const { credits_remaining, credit_limit, credits_used } = burned;
  // The days are rounded as they are answered: whoever divides by them gets the rate.
  const days = rounded(burned.days);
  const perDay = burned.days < fewestDays ? null : credits_used / days;
  const isUsedUp = credit_limit !== null && perDay !== null && perDay > 0;
  return {
    team_id,
    credits_remaining,
    credit_limit,
    days,
    credits_used,
    credits_per_day: perDay === null ? null : rounded(perDay),
    lasts_days: isUsedUp ? rounded(Math.max(0, credits_remaining) / perDay) : null,
    is_estimate: true as const,
  };
}

/** The burn rate of a team for its key, or for an admin. */
export async function getBurnRate({ deps, caller }: ServiceContext, teamId: string) {
  requireTeam(caller, teamId);
  const rate = await estimateBurnRate(deps, teamId);
  if (!rate) throw refuse('team_not_found', teamId);
  return rate;
}
