import type { TeamWithKey } from '../../api/types.ts';

/** The fields of the form, as text. Empty where there is no value. */
export interface SettingsDraft {
  team_alias: string;
  credit_limit: string;
  budget_mode: TeamWithKey['budget_mode'];
  tokens_per_credit: string;
  credits_per_dollar: string;
  low_balance_policy: TeamWithKey['low_balance_policy'];
  auto_refill: 'on' | 'off';
  refill_amount: string;
  refill_period: NonNullable<TeamWithKey['refill_period']> | '';
  rpm_limit: string;
  tpm_limit: string;
  jobless_calls: TeamWithKey['jobless_calls'];
  job_key_from: string;
}

const textOf = (value: string | number | null): string => (value === null ? '' : String(value));

export const draftOf = (team: TeamWithKey): SettingsDraft => ({
  team_alias: team.team_alias ?? '',
  credit_limit: textOf(team.credits.credit_limit),
  budget_mode: team.budget_mode,
  tokens_per_credit: textOf(team.tokens_per_credit),
  credits_per_dollar: textOf(team.credits_per_dollar),
  low_balance_policy: team.low_balance_policy,
  auto_refill: team.credits.auto_refill ? 'on' : 'off',
  refill_amount: textOf(team.refill_amount),
  refill_period: team.refill_period ?? '',
  rpm_limit: textOf(team.rpm_limit),
  tpm_limit: textOf(team.tpm_limit),
  jobless_calls: team.jobless_calls,
  job_key_from: team.job_key_from.join(', '),
});

/** A text that is no number is sent as it is, so that the service says what is wrong with it. */
const numberOf = (text: string): number | string | null => {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
};

const readers: { [Name in keyof SettingsDraft]: (text: string) => unknown } = {
  team_alias: (text) => text.trim() || null,
  credit_limit: numberOf,
  budget_mode: (text) => text,
  tokens_per_credit: numberOf,
  credits_per_dollar: numberOf,
  low_balance_policy: (text) => text,
  auto_refill: (text) => text === 'on',
  refill_amount: numberOf,
  refill_period: (text) => text || null,
  rpm_limit: numberOf,
  tpm_limit: numberOf,
  jobless_calls: (text) => text,
  job_key_from: (text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
};

/** The body of the request: the fields that differ from those of the team. */
export function changesOf(draft: SettingsDraft, team: TeamWithKey): Record<string, unknown> {
  const before = draftOf(team);
  const changed = (Object.keys(readers) as (keyof SettingsDraft)[]).filter((name) => draft[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, readers[name](draft[name])]));
}
