import { Link } from '@tanstack/react-router';
import type { LedgerTransaction } from '../../api/types.ts';
import { formatNumber } from '../../format/number.ts';
import { Count } from '../ui/count.tsx';
import { shortId } from '../ui/id.tsx';
import { Missing } from '../ui/money.tsx';
import type { Column } from '../ui/table/column.ts';
import { Time } from '../ui/time.tsx';

/** The amount with its sign: what a deduction has taken away is a positive amount in the ledger. */
export function formatChange({ transaction_type, credits_amount }: LedgerTransaction): string {
  const change = transaction_type === 'deduction' ? -credits_amount : credits_amount;
  return `${change > 0 ? '+' : ''}${formatNumber(change)}`;
}

export const transactionColumns = (seesTeams: boolean): Column<LedgerTransaction>[] => [
  { id: 'at', header: 'Time', width: 150, isAlways: true, cell: ({ created_at }) => <Time at={created_at} /> },
  ...(seesTeams
    ? [
        {
          id: 'team',
          header: 'Team',
          from: 720 as const,
          cell: ({ team_id }: LedgerTransaction) => (
            <Link to="/teams/$teamId" params={{ teamId: team_id }} search={{ tab: 'credits' }}>
              {team_id}
            </Link>
          ),
        },
      ]
    : []),
  { id: 'type', header: 'Row', width: 100, cell: ({ transaction_type }) => transaction_type },
  { id: 'change', header: 'Credits', width: 88, align: 'end', isAlways: true, cell: formatChange },
  {
    id: 'before',
    header: 'Before',
    width: 100,
    align: 'end',
    from: 1024,
    cell: ({ credits_before }) => <Count of={credits_before} />,
  },
  { id: 'after', header: 'After', width: 100, align: 'end', cell: ({ credits_after }) => <Count of={credits_after} /> },
  {
    id: 'job',
    header: 'Job',
    width: 104,
    from: 720,
    cell: ({ job_id }) =>
      job_id ? (
        <Link to="/jobs/$jobId" params={{ jobId: job_id }} className="mono" title={job_id}>
          {shortId(job_id)}
        </Link>
      ) : (
        <Missing />
      ),
  },
  { id: 'reason', header: 'Reason', from: 720, cell: ({ reason }) => reason },
];
