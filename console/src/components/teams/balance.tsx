import type { Team } from '../../api/types.ts';
import { formatNumber } from '../../format/number.ts';
import styles from './balance.module.css';

type Account = Pick<Team, 'credits_remaining' | 'credit_limit'>;

/** Whether a fixed budget has no credits left: the next job is refused, or ends without a charge. */
const isEmpty = ({ credits_remaining, credit_limit }: Account): boolean =>
  credit_limit !== null && credits_remaining <= 0;

interface BalanceProps {
  of: Account & Pick<Team, 'credits_allocated'>;
}

/** What is left of a budget. */
export const Balance = ({ of }: BalanceProps) => (
  <span className={isEmpty(of) ? styles.empty : undefined}>
    <data value={of.credits_remaining}>{formatNumber(of.credits_remaining)}</data>
  </span>
);

/** How much of the allocated credits is left, as a bar. */
export function BalanceBar({ of }: BalanceProps) {
  const { credits_allocated, credits_remaining } = of;
  const left = credits_allocated <= 0 ? 0 : Math.min(1, Math.max(0, credits_remaining / credits_allocated));
  return (
    <span className={styles.bar} aria-hidden>
      <span className={styles.part} style={{ width: `${left * 100}%` }} />
    </span>
  );
}

export const budgetOf = ({ credit_limit }: Pick<Team, 'credit_limit'>): string =>
  credit_limit === null ? 'unlimited' : 'fixed';
