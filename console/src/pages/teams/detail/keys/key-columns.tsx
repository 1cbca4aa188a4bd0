import { Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import type { TeamKey } from '../../../../api/types.ts';
import { Button } from '../../../../components/ui/button.tsx';
import { Missing } from '../../../../components/ui/money.tsx';
import { Status } from '../../../../components/ui/status.tsx';
import type { Column } from '../../../../components/ui/table/column.ts';
import { Time } from '../../../../components/ui/time.tsx';
import { formatNumber } from '../../../../format/number.ts';
import { sinceDayOf } from '../../../../url/time-range.ts';
import { isExpired, limitParts } from './key-draft.ts';
import styles from './keys.module.css';
import { resetLabels } from './reset-labels.ts';

interface Actions {
  mayWrite: boolean;
  onEdit: (key: TeamKey) => void;
  onDelete: (key: TeamKey) => void;
}

/** `12 used, 1 held of 500 a month` */
export function limitText({ credits_used, credits_held, credit_limit, limit_reset }: TeamKey): string {
  const taken = `${formatNumber(credits_used)} used, ${formatNumber(credits_held)} held`;
  if (credit_limit === null) return taken;
  return `${taken} of ${formatNumber(credit_limit)} ${limit_reset ? resetLabels[limit_reset] : 'in all'}`;
}

export const keyColumns = ({ mayWrite, onEdit, onDelete }: Actions): Column<TeamKey>[] => [
  {
    id: 'name',
    header: 'Name',
    isAlways: true,
    cell: ({ key_id, name, created_at }) => (
      <Link to="/jobs" search={{ key: key_id, ...sinceDayOf(created_at) }} title="Jobs of this key">
        {name}
      </Link>
    ),
  },
  {
    id: 'state',
    header: 'Status',
    width: 96,
    isAlways: true,
    cell: (key) => <Status of={isExpired(key) ? 'expired' : 'active'} />,
  },
  { id: 'hint', header: 'Key', from: 1024, cell: ({ key_hint }) => <span className="mono">{key_hint}</span> },
  { id: 'credits', header: 'Credits', cell: limitText },
  {
    id: 'limit',
    header: 'Limit',
    width: 96,
    from: 1024,
    cell: (key) => (key.credit_limit === null ? <Missing why="no limit of its own" /> : <LimitBar of={key} />),
  },
  {
    id: 'end',
    header: 'Ends',
    from: 720,
    cell: ({ expires_at }) => <Time at={expires_at} missing="it does not end" />,
  },
  {
    id: 'used',
    header: 'Last used',
    from: 720,
    cell: ({ last_used_at }) => <Time at={last_used_at} missing="not used yet" />,
  },
  { id: 'created', header: 'Created', from: 1024, cell: ({ created_at }) => <Time at={created_at} /> },
  ...(mayWrite
    ? [
        {
          id: 'actions',
          header: 'Actions',
          cell: (key: TeamKey) => (
            <>
              <Button look="quiet" icon={Pencil} aria-label={`Change ${key.name}`} onClick={() => onEdit(key)} />
              <Button look="quiet" icon={Trash2} aria-label={`Delete ${key.name}`} onClick={() => onDelete(key)} />
            </>
          ),
        },
      ]
    : []),
];

/** How much of the limit is used, and held beside it. The figures are in the row. */
function LimitBar({ of }: { of: TeamKey }) {
  const { used, held } = limitParts(of);
  return (
    <span className={styles.bar} aria-hidden>
      <span className={styles.used} style={{ width: `${used * 100}%` }} />
      <span className={styles.held} style={{ width: `${held * 100}%` }} />
    </span>
  );
}
