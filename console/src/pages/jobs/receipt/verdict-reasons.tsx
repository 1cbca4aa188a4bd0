import type { ReactNode } from 'react';
import { useSeesCost } from '../../../api/session.ts';
import type { Verdict } from '../../../api/types.ts';
import { Facts } from '../../../components/ui/facts.tsx';
import { Money } from '../../../components/ui/money.tsx';
import { Time } from '../../../components/ui/time.tsx';
import { formatNumber } from '../../../format/number.ts';
import styles from './receipt.module.css';

const modes: Record<Verdict['inputs']['budget_mode'], string> = {
  job_based: 'by job',
  consumption_usd: 'by cost in USD',
  consumption_tokens: 'by tokens',
};

/** The inputs of the decision, as they were recorded when the job ended. */
export function VerdictReasons({ verdict: { rule, inputs } }: { verdict: Verdict }) {
  // A price by cost cannot be understood without it.
  const showsCost = useSeesCost() || inputs.budget_mode === 'consumption_usd';
  const facts: [string, ReactNode][] = [
    ['Rule', rule.replaceAll('_', ' ')],
    ['Ended by', inputs.ended_by],
    ['Failed calls', formatNumber(inputs.failed_calls)],
    ['Superseded calls', inputs.superseded_calls && formatNumber(inputs.superseded_calls)],
    ['Policy', inputs.billing_policy?.replaceAll('_', ' ')],
    ['First failed call', inputs.first_failed_call && `#${inputs.first_failed_call.position}`],
    ['Priced', modes[inputs.budget_mode]],
    ['Tokens per credit', inputs.tokens_per_credit && formatNumber(inputs.tokens_per_credit)],
    ['Credits per USD', inputs.credits_per_dollar],
    ['Tokens', formatNumber(inputs.total_tokens)],
    ['Cost', showsCost ? <Money key="cost" usd={inputs.total_cost_usd} /> : null],
    ['Price', `${formatNumber(inputs.price_credits)} credits`],
    ['Balance after', formatNumber(inputs.credits_remaining)],
    ['Budget', inputs.credit_limit === null ? 'unlimited' : `fixed, ${formatNumber(inputs.credit_limit)}`],
    ['Refunded', inputs.refunded && <Time key="refund" at={inputs.refunded.at} />],
    ['Refund reason', inputs.refunded?.reason],
  ];
  return (
    <details className={styles.reasons}>
      <summary>How this was decided</summary>
      <Facts facts={facts} />
    </details>
  );
}
