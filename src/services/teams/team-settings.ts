import { startOf } from '../../contracts/date-range.ts';
import type { TeamCreation, TeamUpdate } from '../../contracts/teams.ts';
import type { CreditAccount } from '../../db/entities/credit-account.ts';
import type { Team, TeamSettings } from '../../db/entities/team.ts';
import type { NewTeam } from '../../db/teams/insert-team.ts';
import { decimalText } from '../../domain/formats/exact-decimal.ts';
import { namedFields } from '../../domain/named-fields.ts';
import { noRefill, type RefillPeriod, refillFrom } from '../../domain/refill.ts';
import { InvalidRequest, invalid } from '../../errors.ts';

/** LiteLLM treats a blank id as none. */
const upstreamIdOf = (teamId: string): string => (teamId.trim() === '' ? encodeURIComponent(teamId) : teamId);

/** The settings of a new team, with the defaults of `spec 8.3`. */
const toTeamSettings = (body: TeamCreation): TeamSettings => ({
  budget_mode: body.budget_mode ?? 'job_based',
  tokens_per_credit: body.tokens_per_credit ?? null,
  credits_per_dollar: decimalText(body.credits_per_dollar ?? null),
  low_balance_policy: body.low_balance_policy ?? 'allow',
  billing_policy: body.billing_policy ?? null,
  usd_per_credit: decimalText(body.usd_per_credit ?? null),
  reserve_credits: body.reserve_credits ?? null,
  job_budget_defaults: body.job_budget_defaults ?? null,
  job_budget_maxima: body.job_budget_maxima ?? null,
  credit_thresholds: body.credit_thresholds ?? [],
  payload_retention_days: body.payload_retention_days ?? null,
  rpm_limit: body.rpm_limit ?? null,
  tpm_limit: body.tpm_limit ?? null,
  max_concurrent_calls: body.max_concurrent_calls ?? null,
  job_key_from: body.job_key_from ?? [],
  agent_turns: body.agent_turns ?? 'on',
  job_end: body.job_end ?? null,
  jobless_calls: body.jobless_calls ?? 'single',
});

/**
 * The settings that a body changes. `null` removes a limit or a rate; for a setting that has always a value it is the same as
 * omitting it.
 */
const changedSettings = (body: TeamUpdate): Partial<TeamSettings> =>
  namedFields({
    budget_mode: body.budget_mode ?? undefined,
    tokens_per_credit: body.tokens_per_credit,
    credits_per_dollar: decimalText(body.credits_per_dollar),
    low_balance_policy: body.low_balance_policy ?? undefined,
    billing_policy: body.billing_policy,
    usd_per_credit: decimalText(body.usd_per_credit),
    reserve_credits: body.reserve_credits,
    job_budget_defaults: body.job_budget_defaults,
    job_budget_maxima: body.job_budget_maxima,
    payload_retention_days: body.payload_retention_days,
    credit_thresholds: body.credit_thresholds === null ? [] : body.credit_thresholds,
    rpm_limit: body.rpm_limit,
    tpm_limit: body.tpm_limit,
    max_concurrent_calls: body.max_concurrent_calls,
    job_key_from: body.job_key_from ?? undefined,
    agent_turns: body.agent_turns ?? undefined,
    job_end: body.job_end,
    jobless_calls: body.jobless_calls ?? undefined,
  });

/** The team that a body describes, with the defaults of `spec 6.3` and `spec 8.3`. Throws a 422. */
export function newTeam(body: TeamCreation & { is_test?: true }, now: Date): NewTeam {
  const credits_allocated = body.credits_allocated ?? 0;
  const auto_refill = body.auto_refill ?? false;
  const refill_amount = body.refill_amount ?? null;
  const refill_period = body.refill_period ?? null;
  requireRefillComplete({ auto_refill, refill_amount, refill_period });
  return {
    team_id: body.team_id,
    organization_id: body.organization_id,
    team_alias: body.team_alias ?? body.name ?? null,
    is_test: body.is_test ?? false,
    ...toTeamSettings(body),
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
      refill_up_to: body.refill_up_to ?? null,
      ...refillSchedule({ auto_refill, refill_period }, body.next_refill_at, now),
    },
  };
}

/** What a body changes of the team itself. */
export const teamChanges = (body: TeamUpdate, now: Date): Partial<Team> => ({
  ...namedFields({ team_alias: body.team_alias, metadata: body.metadata ?? undefined }),
  ...changedSettings(body),
  updated_at: now,
});

export type AccountSettings = Pick<
  CreditAccount,
  | 'credit_limit'
  | 'auto_refill'
  | 'refill_amount'
  | 'refill_up_to'
  | 'refill_period'
  | 'refill_anchor_at'
  | 'next_refill_at'
>;

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
  const keepsDates = auto_refill && running && body.next_refill_at === undefined;
  const schedule = keepsDates ? {} : refillSchedule({ auto_refill, refill_period }, body.next_refill_at, now);
  return {
    ...namedFields({ credit_limit: body.credit_limit, refill_up_to: body.refill_up_to }),
    auto_refill,
    refill_amount,
    refill_period,
    ...schedule,
  };
}

/** A refill at a given time, from which later ones are counted, or a period from now. `spec 24.8`. Throws a 422. */
function refillSchedule(
  { auto_refill, refill_period }: Omit<RefillSettings, 'refill_amount'>,
  given: string | null | undefined,
  now: Date,
) {
  const field = ['body', 'next_refill_at'];
  const isOn = auto_refill && refill_period;
  if (!given) return isOn ? refillFrom(now, refill_period) : noRefill;
  if (!isOn) throw invalid(field, 'Input should be given only with auto_refill');
  const at = startOf(given);
  if (at <= now) throw invalid(field, 'Input should be in the future', 'datetime_future');
  return { refill_anchor_at: at, next_refill_at: at };
}

interface RefillSettings {
  auto_refill: boolean;
  refill_amount: number | null;
  refill_period: RefillPeriod | null;
}

/** A refill that is on needs an amount and a period. `spec 6.6` */
function requireRefillComplete(settings: RefillSettings): void {
  if (!settings.auto_refill) return;
  const absent = (['refill_amount', 'refill_period'] as const).filter((field) => settings[field] === null);
  if (absent.length === 0) return;
  const msg = 'Field required when auto_refill is true';
  throw new InvalidRequest(absent.map((field) => ({ loc: ['body', field], msg, type: 'missing' })));
}
