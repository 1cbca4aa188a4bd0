import { Link } from '@tanstack/react-router';
import type { Live } from '../../api/types.ts';
import { Count } from '../../components/ui/count.tsx';
import { None } from '../../components/ui/detail-page.tsx';
import type { Column } from '../../components/ui/table/column.ts';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { LimitUse } from './limit-use.tsx';
import { openJobs } from './open-jobs.ts';

type Team = Live['teams'][number];

const columns: Column<Team>[] = [
  {
    id: 'team',
    header: 'Team',
    cell: ({ team_id, team_alias }) => (
      <Link to="/teams/$teamId" params={{ teamId: team_id }} title={team_id}>
        {team_alias ?? team_id}
      </Link>
    ),
  },
  {
    id: 'jobs',
    header: 'Open jobs',
    width: 84,
    align: 'end',
    cell: ({ team_id, open_jobs }) => (
      <Link to="/jobs" search={{ ...openJobs(), team: team_id }}>
        <Count of={open_jobs} />
      </Link>
    ),
  },
  { id: 'running', header: 'Running', width: 80, align: 'end', cell: (team) => <Count of={team.running_calls} /> },
  { id: 'queued', header: 'Waiting', width: 80, align: 'end', cell: (team) => <Count of={team.queued_calls} /> },
  {
    id: 'rpm',
    header: 'Calls of this minute',
    width: 190,
    from: 720,
    cell: ({ rpm_used, rpm_limit }) => <LimitUse used={rpm_used} limit={rpm_limit} />,
  },
  {
    id: 'tpm',
    header: 'Tokens of this minute',
    width: 210,
    from: 720,
    cell: ({ tpm_used, tpm_limit }) => <LimitUse used={tpm_used} limit={tpm_limit} />,
  },
];

export const LiveTeams = ({ teams }: { teams: readonly Team[] }) => (
  <DataTable
    id="live-teams"
    label="Teams with open jobs"
    isFlat
    columns={columns}
    rows={teams}
    rowId={({ team_id }) => team_id}
    empty={<None>No job is open.</None>}
  />
);
