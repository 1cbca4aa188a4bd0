import type { Margins, Price } from '../../api/types.ts';
import { policyLabels } from '../../components/teams/billing-policies.ts';
import type { EffectLine } from '../../components/ui/effect-line.ts';
import { formatCount } from '../../format/number.ts';

/** A row as it is in the form. */
export interface PriceDraft {
  credits: string;
  policy: string;
  budget: string;
}

export const toDraft = (price: Price | undefined): PriceDraft => ({
  credits: price?.credits === null || price === undefined ? '' : String(price.credits),
  policy: price?.billing_policy ?? '',
  budget: price?.budget ? JSON.stringify(price.budget) : '',
});

const unset = 'not set here';
const policyOf = ({ policy }: PriceDraft): string =>
  policy === '' ? unset : policyLabels[policy as keyof typeof policyLabels];

/**
 * What the row changes: its fields, and what the jobs of the type that were charged in the last days cost and would have cost. Which
 * jobs another policy would have charged is not known from sums.
 */
export function priceEffects(
  before: PriceDraft,
  after: PriceDraft,
  charged: Pick<Margins['total'], 'charged_jobs' | 'credits_charged'> | undefined,
): EffectLine[] {
  const lines = [
    { what: 'Credits', before: before.credits || unset, after: after.credits.trim() || unset },
    { what: 'Charged', before: policyOf(before), after: policyOf(after) },
    { what: 'Budget', before: before.budget || unset, after: after.budget.trim() || unset },
  ].filter((line) => line.before !== line.after);
  const credits = Number(after.credits);
  if (!charged?.charged_jobs || after.credits.trim() === '' || !Number.isInteger(credits)) return lines;
  const past = {
    what: `${formatCount(charged.charged_jobs, 'job')} charged in the last 30 days`,
    before: formatCount(charged.credits_charged, 'credit'),
    after: `${formatCount(charged.charged_jobs * credits, 'credit')}, where billed by job`,
  };
  return [...lines, past];
}
