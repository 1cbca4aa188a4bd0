import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Statement } from '../../api/types.ts';
import { Facts } from '../../components/ui/facts.tsx';
import { formatNumber, formatSigned } from '../../format/number.ts';
import { rangeOfMonth } from '../../url/month.ts';
import styles from './statement.module.css';

interface OfStatement {
  statement: Statement;
  /** For an admin, whose lists are of all teams. */
  team: string | undefined;
}

const amount = (value: ReactNode) => <span className={styles.amount}>{value}</span>;
const balance = (value: number) => amount(<strong>{formatNumber(value)}</strong>);

/** From the balance at the beginning to that at the end. Each change leads to its rows of the ledger. */
export function StatementCredits({ statement: { period, credits, is_complete }, team }: OfStatement) {
  const rows = (type: 'allocation' | 'deduction' | 'refund' | 'adjustment', change: number) =>
    amount(
      <Link to="/ledger" search={{ ...rangeOfMonth(period), type, team }}>
        {formatSigned(change)}
      </Link>,
    );
  return (
    <Facts
      facts={[
        ['Opening balance', balance(credits.opening_balance)],
        ['Allocated', rows('allocation', credits.allocated)],
        ['Charged', rows('deduction', -credits.deducted)],
        ['Refunded', rows('refund', credits.refunded)],
        ['Adjusted', rows('adjustment', credits.adjusted)],
        [is_complete ? 'Closing balance' : 'Balance now', balance(credits.closing_balance)],
      ]}
    />
  );
}

/** The jobs of the month by outcome. Each leads to its jobs. */
export function StatementJobs({ statement: { period, jobs }, team }: OfStatement) {
  const list = (
    value: number,
    filter: { status?: ('completed' | 'failed' | 'cancelled' | 'pending' | 'in_progress')[] },
  ) =>
    amount(
      <Link to="/jobs" search={{ ...rangeOfMonth(period), ...filter, team }}>
        {formatNumber(value)}
      </Link>,
    );
  return (
    <Facts
      facts={[
        ['Completed', list(jobs.completed, { status: ['completed'] })],
        ['Failed', list(jobs.failed, { status: ['failed'] })],
        ['Cancelled', list(jobs.cancelled, { status: ['cancelled'] })],
        ['Open', list(jobs.open, { status: ['pending', 'in_progress'] })],
        ['All jobs', list(jobs.jobs, {})],
        ['Credits charged for them', balance(jobs.credits_charged)],
      ]}
    />
  );
}
