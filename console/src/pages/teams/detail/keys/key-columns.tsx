import { Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import type { TeamKey } from '../../../../api/types.ts';
import { Button } from '../../../../components/ui/button.tsx';
import { Missing } from '../../../../components/ui/money.tsx';
import type { Column } from '../../../../components/ui/table/column.ts';
import { Time } from '../../../../components/ui/time.tsx';
import { formatNumber } from '../../../../format/number.ts';
import { resetLabels } from './reset-labels.ts';

interface Actions {
  mayWrite: boolean;
  onEdit: (key: TeamKey) => void;
  onDelete: (key: TeamKey) => void;
}

const isExpired = ({ expires_at }: TeamKey): boolean => expires_at !== null && new Date(expires_at) <= new Date();

/** `12 used, 1 held of 500 a month` */
function limitText({ credits_used, credits_held, credit_limit, limit_reset }: TeamKey): string {
  const taken = `${formatNumber(credits_used)} used, ${formatNumber(credits_held)} held`;
  if (credit_limit === null) return taken;
  return `${taken} of ${formatNumber(credit_limit)} ${limit_reset ? resetLabels[limit_reset] : 'in all'}`;
}

export const keyColumns = ({ mayWrite, onEdit, onDelete }: Actions): Column<TeamKey>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ key_id, name }) => (
      <Link to="/jobs" search={{ key: key_id }} title="Jobs of this key">
        {name}
      </Link>
    ),
  },
  { id: 'hint', header: 'Key', from: 720, cell: ({ key_hint }) => <span className="mono">{key_hint}</span> },
  { id: 'credits', header: 'Credits', cell: limitText },
  {
    id: 'end',
    header: 'Ends',
    cell: (key) => {
      if (key.expires_at === null) return <Missing why="it does not end" />;
      return (
        <>
          {isExpired(key) && 'expired '}
          <Time at={key.expires_at} />
        </>
      );
    },
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
