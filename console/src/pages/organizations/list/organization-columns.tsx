import { Link } from '@tanstack/react-router';
import type { OrganizationInList } from '../../../api/types.ts';
import { Count } from '../../../components/ui/count.tsx';
import { Missing, Money } from '../../../components/ui/money.tsx';
import { Status } from '../../../components/ui/status.tsx';
import type { Column } from '../../../components/ui/table/column.ts';
import { Time } from '../../../components/ui/time.tsx';

/** Figures are those of the month of the page. */
export const organizationColumns: Column<OrganizationInList>[] = [
  { id: 'status', header: 'Status', width: 118, isAlways: true, cell: ({ status }) => <Status of={status} /> },
  {
    id: 'name',
    header: 'Organization',
    isAlways: true,
    cell: ({ organization_id, name }) => (
      <Link to="/organizations/$organizationId" params={{ organizationId: organization_id }}>
        {name}
      </Link>
    ),
  },
  {
    id: 'id',
    header: 'Id',
    from: 1024,
    cell: ({ organization_id }) => <span className="mono">{organization_id}</span>,
  },
  { id: 'teams', header: 'Teams', width: 72, align: 'end', cell: ({ team_count }) => <Count of={team_count} /> },
  { id: 'jobs', header: 'Jobs', width: 88, align: 'end', cell: ({ usage }) => <Count of={usage?.total_jobs} /> },
  {
    id: 'failed',
    header: 'Failed',
    width: 80,
    align: 'end',
    from: 720,
    cell: ({ usage }) => <Count of={usage?.failed_jobs} />,
  },
  {
    id: 'credits',
    header: 'Credits used',
    width: 108,
    align: 'end',
    from: 720,
    cell: ({ usage }) => (usage ? <Count of={usage.credits_used} /> : <Missing />),
  },
  {
    id: 'tokens',
    header: 'Tokens',
    width: 88,
    align: 'end',
    from: 1024,
    cell: ({ usage }) => <Count of={usage?.total_tokens} short />,
  },
  {
    id: 'cost',
    header: 'Cost',
    width: 96,
    align: 'end',
    from: 720,
    cell: ({ usage }) => <Money usd={usage?.total_cost_usd} />,
  },
  { id: 'created', header: 'Created', width: 140, isExtra: true, cell: ({ created_at }) => <Time at={created_at} /> },
];
