import type { TeamWithKey } from '../../../api/types.ts';
import type { EffectLine } from '../../../components/ui/effect-line.ts';
import { metadataText, parseMetadata } from '../../../format/metadata.ts';
import { namesIn } from '../../../format/names.ts';
import { formatCount } from '../../../format/number.ts';
import { parseNumber } from '../../../format/number-input.ts';
import { byDefault, type SettingsDraft, settings } from './setting-fields.ts';

const toText = (value: string | number | null): string => (value === null ? '' : String(value));

export const toDraft = (team: TeamWithKey): SettingsDraft => ({
  team_alias: team.team_alias ?? '',
  credit_limit: toText(team.credits.credit_limit),
  budget_mode: team.budget_mode,
  tokens_per_credit: toText(team.tokens_per_credit),
  credits_per_dollar: toText(team.credits_per_dollar),
  low_balance_policy: team.low_balance_policy,
  billing_policy: team.billing_policy,
  usd_per_credit: toText(team.usd_per_credit),
  auto_refill: team.credits.auto_refill ? 'on' : 'off',
  refill_amount: toText(team.refill_amount),
  refill_period: team.refill_period ?? '',
  refill_up_to: toText(team.refill_up_to),
  reserve_credits: toText(team.reserve_credits),
  credit_thresholds: team.credit_thresholds.join(', '),
  job_budget_defaults: jsonText(team.job_budget_defaults),
  job_budget_maxima: jsonText(team.job_budget_maxima),
  payload_retention_days: toText(team.payload_retention_days),
  rpm_limit: toText(team.rpm_limit),
  tpm_limit: toText(team.tpm_limit),
  max_concurrent_calls: toText(team.max_concurrent_calls),
  agent_turns: team.agent_turns,
  job_end: team.job_end ?? '',
  jobless_calls: team.jobless_calls,
  job_key_from: team.job_key_from.join(', '),
  metadata: metadataText(team.metadata),
});

const jsonText = (object: object | null): string => (object ? JSON.stringify(object) : '');
const parseObject = (text: string): unknown => (text.trim() === '' ? null : parseMetadata(text));

const same = (text: string): string => text;

const readers: { [Name in keyof SettingsDraft]: (text: string) => unknown } = {
  team_alias: (text) => text.trim() || null,
  credit_limit: parseNumber,
  budget_mode: same,
  tokens_per_credit: parseNumber,
  credits_per_dollar: parseNumber,
  low_balance_policy: same,
  billing_policy: same,
  usd_per_credit: parseNumber,
  auto_refill: (text) => text === 'on',
  refill_amount: parseNumber,
  refill_period: (text) => text || null,
  refill_up_to: parseNumber,
  reserve_credits: parseNumber,
  credit_thresholds: (text) => namesIn(text).map(parseNumber),
  job_budget_defaults: parseObject,
  job_budget_maxima: parseObject,
  payload_retention_days: parseNumber,
  rpm_limit: parseNumber,
  tpm_limit: parseNumber,
  max_concurrent_calls: parseNumber,
  agent_turns: same,
  job_end: (text) => text || null,
  jobless_calls: same,
  job_key_from: namesIn,
  metadata: parseMetadata,
};

/** What is shown for a setting without a value, where that is known better than in `settings`. */
export type Placeholders = { readonly [Name in keyof SettingsDraft]?: string };

export const retentionDefault = (days: number): string => `${byDefault}: ${formatCount(days, 'day')}`;

const changedIn = (draft: SettingsDraft, before: SettingsDraft): (keyof SettingsDraft)[] =>
  (Object.keys(readers) as (keyof SettingsDraft)[]).filter((name) => draft[name] !== before[name]);

/** The body of the request: the fields that differ from those of the team. */
export const toChanges = (draft: SettingsDraft, team: TeamWithKey): Record<string, unknown> =>
  Object.fromEntries(changedIn(draft, toDraft(team)).map((name) => [name, readers[name](draft[name])]));

/** Each changed field with what it was and what it will be, in the words of the form. */
export function settingEffects(draft: SettingsDraft, team: TeamWithKey, placeholders: Placeholders = {}): EffectLine[] {
  const before = toDraft(team);
  return changedIn(draft, before).map((name) => {
    const { label, options, ...setting } = settings.find((one) => one.name === name)!;
    const placeholder = placeholders[name] ?? setting.placeholder ?? 'none';
    const shown = (text: string): string =>
      options?.find(({ value }) => value === text)?.label ?? (text.trim() || placeholder);
    return { what: label, before: shown(before[name]), after: shown(draft[name]) };
  });
}
