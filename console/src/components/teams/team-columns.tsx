import { Link } from '@tanstack/react-router';
import type { Team } from '../../api/types.ts';
import { Count } from '../ui/count.tsx';
import { Missing } from '../ui/money.tsx';
import { Status } from '../ui/status.tsx';
import type { Column } from '../ui/table/column.ts';
import { Time } from '../ui/time.tsx';
import { Balance, BalanceBar, budgetOf } from './balance.tsx';

export const teamColumns: Column<Team>[] = [
  { id: 'status', header: 'Status', width: 118, isAlways: true, cell: ({ status }) => <Status of={status} /> },
  {
    id: 'team',
    header: 'Team',
    isAlways: true,
    cell: ({ team_id }) => (
      <Link to="/teams/$teamId" params={{ teamId: team_id }} className="mono">
        {team_id}
      </Link>
    ),
  },
  { id: 'alias', header: 'Name', from: 1024, cell: ({ team_alias }) => team_alias ?? <Missing /> },
  {
    id: 'organization',
    header: 'Organization',
    from: 720,
    cell: ({ organization_id }) => (
      <Link to="/organizations/$organizationId" params={{ organizationId: organization_id }}>
        {organization_id}
      </Link>
    ),
  },
  { id: 'left', header: 'Credits left', width: 104, align: 'end', cell: (team) => <Balance of={team} /> },
  { id: 'bar', header: 'Of allocated', width: 96, from: 720, cell: (team) => <BalanceBar of={team} /> },
  {
    id: 'allocated',
    header: 'Allocated',
    width: 96,
    align: 'end',
    from: 720,
    cell: ({ credits_allocated }) => <Count of={credits_allocated} />,
  },
  {
    id: 'used',
    header: 'Used',
    width: 88,
    align: 'end',
    from: 1024,
    cell: ({ credits_used }) => <Count of={credits_used} />,
  },
  { id: 'budget', header: 'Budget', width: 88, from: 1024, cell: budgetOf },
  {
    id: 'groups',
    header: 'Model groups',
    from: 1280,
    cell: ({ model_groups }) => model_groups.join(', ') || <Missing />,
  },
  { id: 'created', header: 'Created', width: 140, isExtra: true, cell: ({ created_at }) => <Time at={created_at} /> },
];
