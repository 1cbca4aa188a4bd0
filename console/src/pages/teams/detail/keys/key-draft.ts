import type { TeamKey } from '../../../../api/types.ts';
import type { EffectLine } from '../../../../components/ui/effect-line.ts';
import { parseNumber } from '../../../../format/number-input.ts';
import { inputToIso, isoToInput } from '../../../../format/zoned-input.ts';
import { resetLabels } from './reset-labels.ts';

/** A key as it is in the form. The end is a moment in the chosen zone. */
export interface KeyDraft {
  name: string;
  end: string;
  limit: string;
  reset: string;
}

type KeyTerms = Pick<TeamKey, 'name' | 'expires_at' | 'credit_limit' | 'limit_reset'>;

export const resets = [
  { value: '', label: 'In all' },
  ...Object.entries(resetLabels).map(([value, label]) => ({ value, label: `So many ${label}` })),
];

export const toDraft = (key: KeyTerms | undefined, zone: string): KeyDraft => ({
  name: key?.name ?? '',
  end: key?.expires_at ? isoToInput(key.expires_at, zone) : '',
  limit: key?.credit_limit?.toString() ?? '',
  reset: key?.limit_reset ?? '',
});

/** The fields that differ from the draft before: what nobody has changed here keeps its seconds, and what somebody else has set. */
export const toBody = (before: KeyDraft, after: KeyDraft, zone: string): Partial<Record<keyof KeyTerms, unknown>> => ({
  ...(after.name.trim() !== before.name && { name: after.name.trim() }),
  ...(after.end !== before.end && { expires_at: after.end === '' ? null : inputToIso(after.end, zone) }),
  ...(after.limit.trim() !== before.limit && { credit_limit: parseNumber(after.limit) }),
  ...(after.reset !== before.reset && { limit_reset: after.reset || null }),
});

/** Each changed field with what it was and what it will be. */
export const keyEffects = (before: KeyDraft, after: KeyDraft): EffectLine[] => {
  const end = (draft: KeyDraft): string => draft.end.replace('T', ' ') || 'never';
  const limit = (draft: KeyDraft): string => draft.limit.trim() || 'none';
  const reset = (draft: KeyDraft): string => resets.find(({ value }) => value === draft.reset)!.label;
  return [
    { what: 'Name', before: before.name, after: after.name.trim() },
    { what: 'Refused from', before: end(before), after: end(after) },
    { what: 'Credit limit', before: limit(before), after: limit(after) },
    { what: 'The credits count', before: reset(before), after: reset(after) },
  ].filter((line) => line.before !== line.after);
};

export const isExpired = ({ expires_at }: Pick<TeamKey, 'expires_at'>, now = Date.now()): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now;

type Limited = Pick<TeamKey, 'credit_limit' | 'credits_used' | 'credits_held'>;

/** The used and the held part of a limit, each as a fraction of it; together they are at most 1. A limit of 0 is used up. */
export function limitParts({ credit_limit, credits_used, credits_held }: Limited): { used: number; held: number } {
  if (!credit_limit) return { used: 1, held: 0 };
  const used = Math.min(1, Math.max(0, credits_used / credit_limit));
  return { used, held: Math.min(1 - used, credits_held / credit_limit) };
}
