import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { OrganizationUsage, Team, TeamList } from '../../../api/types.ts';
import { teamColumns } from '../../../components/teams/team-columns.tsx';
import { Count } from '../../../components/ui/count.tsx';
import { None } from '../../../components/ui/detail-page.tsx';
import { ChangedRows } from '../../../components/ui/list/list-page.tsx';
import { useList } from '../../../components/ui/list/use-list.ts';
import type { Column } from '../../../components/ui/table/column.ts';
import { DataTable } from '../../../components/ui/table/data-table.tsx';

const rowId = ({ team_id }: Pick<Team, 'team_id'>): string => team_id;
const shown = ['status', 'team', 'alias', 'left', 'bar', 'budget'];

/** Columns of the month between those of the team. */
const columnsWith = (usage: OrganizationUsage | undefined): Column<Team>[] => [
  ...teamColumns.filter(({ id }) => shown.includes(id)),
  {
    id: 'jobs',
    header: 'Jobs in the month',
    width: 128,
    align: 'end',
    from: 720,
    cell: ({ team_id }) => <Count of={usage?.teams[team_id]?.jobs} />,
  },
  {
    id: 'credits',
    header: 'Credits in the month',
    width: 144,
    align: 'end',
    from: 720,
    cell: ({ team_id }) => <Count of={usage?.teams[team_id]?.credits_used} />,
  },
];

interface OrganizationTeamsProps {
  organizationId: string;
  usage: OrganizationUsage | undefined;
}

export function OrganizationTeams({ organizationId, usage }: OrganizationTeamsProps) {
  const navigate = useNavigate();
  const columns = useMemo(() => columnsWith(usage), [usage]);
  const list = useList(
    {
      path: '/api/teams',
      key: ['of', organizationId],
      query: () => ({ organization_id: organizationId }),
      rowsOf: ({ teams }: TeamList) => teams,
    },
    { rowId, isAbout: ({ teams }) => teams?.map(rowId) },
  );
  return (
    <>
      <ChangedRows list={list} />
      <DataTable
        id="organization-teams"
        label="Teams of the organization"
        isFlat
        columns={columns}
        {...list.table}
        rowId={rowId}
        onOpen={({ team_id }) => void navigate({ to: '/teams/$teamId', params: { teamId: team_id } })}
        empty={<None>The organization has no team.</None>}
      />
    </>
  );
}
